/** Processor time of a function, of all threads, ms. Other processes have little influence on it. */
export function cpuMilliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
