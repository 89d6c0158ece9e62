/** All layers of the scene, in the order of the menu. */
import type { Layer } from "../layer.ts";
import { namesLayer } from "../names-layer.ts";
import { anchorsLayer } from "./anchors.ts";
import { skyLayer } from "./background/sky.ts";
import { surroundingsLayer } from "./background/surroundings.ts";
import { terrainLayer } from "./background/terrain.ts";
import { bodiesLayer } from "./bodies.ts";
import { contactForcesLayer } from "./contacts/contact-forces.ts";
import { contactPatchesLayer } from "./contacts/contact-patches.ts";
import { elasticLayer } from "./elastic.ts";
import { framesLayer } from "./frames.ts";
import { ghostsLayer } from "./ghosts.ts";
import { hingesLayer } from "./hinges.ts";
import { inertiaLayer } from "./inertia.ts";
import { linksLayer } from "./links.ts";
import { loopForcesLayer } from "./loop-forces.ts";
import { loopsLayer } from "./loops.ts";
import { massCentreLayer } from "./mass-centre.ts";
import { momentumLayer } from "./momentum.ts";
import { plannedPathLayer } from "./planned-path.ts";
import { reactionsLayer } from "./reactions.ts";
import { restShapeLayer } from "./rest-shape.ts";
import { trailsLayer } from "./trails.ts";
import { wheelTracksLayer } from "./wheel-tracks.ts";

export const LAYERS: readonly Layer[] = [
  bodiesLayer,
  elasticLayer,
  linksLayer,
  anchorsLayer,
  hingesLayer,
  inertiaLayer,
  loopsLayer,
  framesLayer,
  namesLayer,
  massCentreLayer,
  momentumLayer,
  reactionsLayer,
  loopForcesLayer,
  contactPatchesLayer,
  contactForcesLayer,
  wheelTracksLayer,
  plannedPathLayer,
  trailsLayer,
  ghostsLayer,
  restShapeLayer,
  terrainLayer,
  surroundingsLayer,
  skyLayer,
];
