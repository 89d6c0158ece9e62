/**
 * Time of the processor that this process uses, not of the clock: what else the machine does is not in it, so a limit is a statement about work.
 * Tests run in processes of their own, one file at a time.
 */
export function processorTime(): () => number {
  const before = process.cpuUsage();
  /** Milliseconds since. */
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
