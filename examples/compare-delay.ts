/**
 * Compares two drivers of a rover, an operator at a ground station who steers by way points and a guide on board, on the same fields and with
 * the same delays: how often the rover arrives, how long it takes, and how near it comes to obstacles. Run it with the number of fields:
 * `node compare-delay.js 20` takes one to three minutes. With a file name after it, it also writes a report with table and picture:
 * `node compare-delay.js 20 report.html`; a name that ends in .svg gives the picture only. The probability that a message is lost may follow:
 * `node compare-delay.js 20 report.html 0.1`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gridOf } from "castor/ground";
import { type TraversabilityMap, traversabilityOf } from "castor/plan";
import { valueScale } from "castor/report";
import { openScenario, parseOverride, runScenario, type Scenario, type ScenarioFiles } from "castor/scenario";

const [count, loss] = [Number(process.argv[2] ?? 1), Number(process.argv[4] ?? 0)];
/** Delays each way, s. */
const DELAYS = [0, 2, 20] as const;
const DRIVERS = {
  operator: { scenario: "rover-delayed-operator", colour: "#d55e00" },
  guide: { scenario: "rover-traverse", colour: "#0072b2" },
} as const;
type Driver = keyof typeof DRIVERS;
const NAMES = Object.keys(DRIVERS) as Driver[];

interface Drive {
  readonly driver: Driver;
  readonly delay: number;
  readonly field: number;
  /** The reason why the run ended. */
  readonly end: string;
  /** Time until the station knows the end, s. */
  readonly time: number;
  /** Least distance of the body from the centre of a cell that the rover cannot cross, m. The planned path keeps 0.4 m. */
  readonly clearance: number;
}

const scenarios = new URL("./scenarios/", import.meta.resolve("castor/package.json"));
const read = (path: string) => ({ text: readFileSync(fileURLToPath(new URL(path, scenarios)), "utf8"), source: path });

async function drive(driver: Driver, delay: number, field: number): Promise<Drive> {
  const name = DRIVERS[driver].scenario;
  const files: ScenarioFiles = {
    readBeside: (path) => read(`${name}/${path}`),
    readChosen: read,
    builtIns: ["rover-flat"],
    readBuiltIn: (model) => read(`${model}/model.yaml`),
  };
  const link = `{ commandDelay: ${delay}, telemetryDelay: ${delay}, loss: ${loss}, seed: ${field}, period: 1 }`;
  const seeds = ["hills", "craters", "rocks"].map((layer) => `terrain.${layer}.seed=${field}`);
  const run = [`controllers.${driver}.link=${link}`, "duration=2000", "sample=0.5", "channels=[q.*]", "plots=[]"];
  const overrides = [...seeds, ...run].map((text) => parseOverride(text));
  const { text, source } = read(`${name}/scenario.yaml`);
  const scenario = await openScenario(text, source, { files, overrides });
  const result = await runScenario(scenario);
  if (result.failure) throw result.failure;
  const { log, events, t } = result.run;
  const end = events.at(-1)?.name.replace(`${driver}: `, "") ?? "its time was over";
  const clearance = leastClearance(scenario, log.column("q.base.x"), log.column("q.base.y"));
  return { driver, delay, field, end, time: t, clearance };
}

/** The obstacles of the field, as a sensor with unlimited range would map them. */
function obstaclesOf({ terrain }: Scenario): readonly (readonly [number, number])[] {
  const heights = gridOf(terrain!, { columns: 145, rows: 145, x: -1.5, y: -1.5, dx: 0.25 / 3, dy: 0.25 / 3 });
  const { grid, blocked, slope }: TraversabilityMap = traversabilityOf(heights, {}, 3);
  const centre = (cell: number) =>
    [grid.x + grid.dx * (cell % grid.columns), grid.y + grid.dy * Math.floor(cell / grid.columns)] as const;
  const isObstacle = (cell: number): boolean => blocked[cell] === 1 && !Number.isNaN(slope[cell]); // the border has no slope
  return Array.from(blocked, (_, cell) => cell)
    .filter(isObstacle)
    .map(centre);
}

function leastClearance(scenario: Scenario, x: Float64Array, y: Float64Array): number {
  const distances = obstaclesOf(scenario).map(([ox, oy]) =>
    x.reduce((least, value, k) => Math.min(least, Math.hypot(value - ox, y[k]! - oy)), Number.POSITIVE_INFINITY),
  );
  return Math.min(...distances);
}

const drives: Drive[] = [];
for (let field = 1; field <= count; field++)
  for (const delay of DELAYS) for (const driver of NAMES) drives.push(await drive(driver, delay, field));

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
};
const drivesOf = (driver: Driver, delay: number): Drive[] => drives.filter((d) => d.driver === driver && d.delay === delay);
const hasArrived = ({ end }: Drive): boolean => end === "arrived";

/** The rows of the table: for each delay and driver the arrivals, the median and the longest time of those, and the distances. */
const HEADS = ["delay, s", "driver", "arrived", "time, s", "longest, s", "clearance, m", "least, m"];
const rows = DELAYS.flatMap((delay) =>
  NAMES.map((driver) => {
    const all = drivesOf(driver, delay);
    const times = all.filter(hasArrived).map(({ time }) => time);
    const near = all.map(({ clearance }) => clearance);
    const ofTimes = times.length > 0 ? [median(times), Math.max(...times)].map((t) => t.toFixed(0)) : ["-", "-"];
    return [
      ...[String(delay), driver, `${times.length} of ${count}`, ...ofTimes],
      ...[median(near).toFixed(2), Math.min(...near).toFixed(2)],
    ];
  }),
);
for (const row of [HEADS, ...rows])
  console.log(
    row
      .map((cell) => cell.padEnd(14))
      .join("")
      .trimEnd(),
  );
const failures = drives.filter((d) => !hasArrived(d)).map((d) => `field ${d.field}, ${d.delay} s, ${d.driver}: ${d.end}`);
for (const failure of failures) console.log(failure);

/** One quantity of all drives over the delay: a dot for each field, a line for the median. */
function panel(title: string, quantity: (d: Drive) => number, left: number): string {
  const [top, bottom, width] = [70, 300, 270];
  const { domain, ticks } = valueScale([Float64Array.from([0, ...drives.map(quantity)])], 6);
  const y = (value: number): number => bottom - ((value - domain[0]) / (domain[1] - domain[0])) * (bottom - top);
  const x = (place: number): number => left + 45 + ((place + 0.5) / DELAYS.length) * width;
  const text = (at: string, content: string, more = ""): string => `<text ${at} ${more}>${content}</text>`;
  const grid = ticks.map(
    (value) =>
      `<path d="M${left + 45} ${y(value)}h${width}" stroke="#e2e4e6"/>` +
      text(`x="${left + 38}" y="${y(value) + 4}"`, String(value), 'text-anchor="end"'),
  );
  const columns = DELAYS.map((delay, place) => {
    const dots = NAMES.map((driver, k) => {
      const centre = x(place) + (k === 0 ? -20 : 20);
      const group = drivesOf(driver, delay);
      const at = (i: number): number => centre + (group.length > 1 ? (i / (group.length - 1) - 0.5) * 24 : 0);
      const circles = group.map((d, i) => `<circle cx="${at(i).toFixed(1)}" cy="${y(quantity(d)).toFixed(1)}" r="2.5"/>`);
      const line = `<path d="M${centre - 16} ${y(median(group.map(quantity))).toFixed(1)}h32" stroke-width="2"/>`;
      return `<g fill="${DRIVERS[driver].colour}" stroke="none">${circles.join("")}</g><g stroke="${DRIVERS[driver].colour}">${line}</g>`;
    });
    return dots.join("") + text(`x="${x(place)}" y="${bottom + 18}"`, String(delay), 'text-anchor="middle"');
  });
  const axis = text(`x="${x(1)}" y="${bottom + 38}"`, "delay each way (s)", 'text-anchor="middle"');
  return text(`x="${left + 8}" y="52"`, title, 'font-weight="bold"') + grid.join("") + columns.join("") + axis;
}

function picture(): string {
  const legend = NAMES.map((name, k) => {
    const arrived = DELAYS.map((delay) => drivesOf(name, delay).filter(hasArrived).length).join(", ");
    return `<circle cx="${22 + 340 * k}" cy="20" r="4" fill="${DRIVERS[name].colour}"/><text x="${32 + 340 * k}" y="24">${name}: ${arrived} of ${count} arrived</text>`;
  });
  const panels = panel("Time (s)", (d) => d.time, 0) + panel("Least distance from obstacles (m)", (d) => d.clearance, 340);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="680" height="350" viewBox="0 0 680 350" font-family="sans-serif" font-size="12"><title>Operator and guide over the delay of the link</title><rect width="100%" height="100%" fill="white"/>${legend.join("")}${panels}</svg>\n`;
}

function report(): string {
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const table = `<table>${line(HEADS, "th")}${rows.map((row) => line(row, "td")).join("")}</table>`;
  const all = drives.map((d) =>
    line([String(d.field), String(d.delay), d.driver, d.end, d.time.toFixed(1), d.clearance.toFixed(3)], "td"),
  );
  return `<!doctype html><meta charset="utf-8"><title>Operator and guide over a delayed link</title>
<style>body { font: 15px sans-serif; max-width: 720px; margin: 2em auto } td, th { padding: 2px 12px 2px 0; text-align: left }</style>
<h1>Operator and guide over a delayed link</h1>
<p>${count} fields, loss ${loss}. Time is until the station knows of the arrival: median and longest. Clearance is the least distance of the body
from the centre of an impassable cell: median and least. The planned paths keep 0.4 m.</p>
${table}
${picture()}
<h2>All drives</h2>
<table>${line(["field", "delay, s", "driver", "end", "time, s", "clearance, m"], "th")}${all.join("")}</table>
`;
}
const file = process.argv[3];
if (file !== undefined) writeFileSync(file, file.endsWith(".svg") ? picture() : report());

/* prints
delay, s      driver        arrived       time, s       longest, s    clearance, m  least, m
0             operator      1 of 1        171           171           0.43          0.43
0             guide         1 of 1        180           180           0.51          0.51
2             operator      1 of 1        179           179           0.46          0.46
2             guide         1 of 1        185           185           0.51          0.51
20            operator      1 of 1        429           429           0.50          0.50
20            guide         1 of 1        239           239           0.51          0.51
*/
