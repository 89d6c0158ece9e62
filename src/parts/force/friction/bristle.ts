/**
 * Bristles: friction that holds like a spring and slips at its limit, without creep below it. The force of a bend z is that of a spring within its
 * limit, reached at the bend δ. Beyond δ the bend flows; at 1.1 δ it no longer grows:
 *
 *   force = limit z / max(δ, |z|),   ż = v - s max(0, v·e) e,   e = z / |z|,   s = clip((|z| - δ) / (0.1 δ), 0, 1)
 *
 * Below the limit ż = v, so a load that vibrates moves the bend back and forth and leaves nothing behind. (Dahl's ż = v - |v| z / δ flows at any
 * bend: there each oscillation leaves a step.) The flow begins where the force has its limit already, so slip has exactly this force. The range of
 * the flow is short, so that little energy is stored in it, but not zero, so that ż is continuous.
 */

/** Range of bends in which the flow begins, relative to δ. */
export const FLOW_RANGE = 0.1;

/** Part of the outward speed that flows, s, at a bend of size |z|. */
export const flowShare = (size: number, limitBend: number): number =>
  Math.max(0, Math.min(1, (size - limitBend) / (FLOW_RANGE * limitBend)));
