import { createHash } from "node:crypto";
import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { Recording } from "../../../src/log/log.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../src/model/description.ts";
import { bodyTree } from "../../../src/report/body-tree.ts";
import { htmlText } from "../../../src/report/page/html.ts";
import { packColumn } from "../../../src/report/page/page-data.ts";
import { unpackColumn } from "../../../src/report/page/page-script.ts";
import { safePicture } from "../../../src/report/pictures/safe-picture.ts";
import type { RunReport, TreeBody } from "../../../src/report/report-data.ts";
import { reportHtml } from "../../../src/report/report-html.ts";
import { HOSTILE, hostileReport, sampleReport } from "../../fixtures/pages/sample-report.ts";

const documentOf = (page: string): Document => parseHTML(page).document;

describe("the page", () => {
  const report = sampleReport(501);
  const page = reportHtml(report, { logs: ["log.csv"], plots: [["plots/1-hinge angles.svg"]] });
  const text = documentOf(page).body.textContent ?? "";

  test("is the same each time", () => {
    expect(reportHtml(sampleReport(501), { logs: ["log.csv"], plots: [["plots/1-hinge angles.svg"]] })).toBe(page);
  });

  test("shows the scenario, the settings and the audit", () => {
    for (const part of [report.title, report.summary, report.scenario, ...report.notes, "Audit passed"])
      expect(text).toContain(part);
    for (const { label } of report.facts) expect(text).toContain(label);
    for (const { channel } of report.audit) expect(text).toContain(channel);
    for (const { name } of report.log.channels.slice(1)) expect(text).toContain(name);
    expect(text).toContain("7 bodies, 2731.4 kg, 10 freedoms");
    expect(page).toContain('<a href="log.csv">log.csv</a>');
    expect(page).toContain('<a href="plots/1-hinge%20angles.svg">SVG</a>');
  });

  test("shows a failed audit", () => {
    const audit = [{ channel: "energy", worst: 3e-4, at: 7.25, tolerance: 1e-9, pass: false }];
    const failed = documentOf(reportHtml({ ...report, audit, outcome: "failed" }));
    expect(failed.querySelector(".pill.bad + .pill.bad")?.textContent).toBe("Audit failed: energy");
    expect(failed.querySelector(".audit li")?.className).toBe("failed");
    expect(failed.querySelector(".worst sup")?.textContent).toBe("−4");
  });

  test("loads nothing from outside and runs only its own script", () => {
    const { head, body } = documentOf(page);
    expect(page.match(/<(link|img|iframe|object|embed|base|form)\b/gi)).toBeNull();
    expect(page.match(/\bsrc=|@import|url\(/g)).toBeNull();
    expect([...body.querySelectorAll("[style]")]).toEqual([]);
    const policy = head.querySelector("meta[http-equiv]")!.getAttribute("content")!;
    const script = /<script>(.*?)<\/script>/s.exec(page)![1]!;
    expect(policy).toBe(
      `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    );
    expect(script).not.toMatch(/\beval\(|new Function/);
    for (const { href } of body.querySelectorAll("a")) expect(href).not.toMatch(/^[a-z]+:|^\//i);
  });

  test("5000 samples of 20 channels take less than 1 MB, and longer logs not more", () => {
    expect(Buffer.byteLength(reportHtml(sampleReport(5000)))).toBeLessThan(1.0e6);
    const long = reportHtml(sampleReport(200_000));
    expect(Buffer.byteLength(long)).toBeLessThan(1.0e6);
    expect(long).toMatch(/Drawn from \d{4} of 200000 samples/);
  });

  test.each([
    [
      "nothing",
      { facts: [], audit: [], plots: [], tree: [], notes: [], pictures: [], log: new Recording([{ name: "t", unit: "s" }]) },
    ],
    ["no samples", { log: new Recording(report.log.channels) }],
  ])("works with %s to show", (_, change) => {
    const { body } = documentOf(reportHtml({ ...report, ...change }));
    for (const script of body.querySelectorAll("script")) script.remove();
    expect(body.innerHTML).not.toMatch(/undefined|\[object|NaN/);
  });
});

describe("names from files", () => {
  const page = reportHtml(hostileReport());
  const { body } = documentOf(page);

  test("stay text everywhere on the page", () => {
    expect(page.match(/<\/?script\b/g)).toHaveLength(4); // the two elements of the page: data and script
    expect(page).not.toContain("<img");
    expect(body.querySelector("h1")?.textContent).toBe(HOSTILE);
    expect(body.querySelector(".tree b")?.textContent).toBe(HOSTILE);
    expect(body.querySelector(".legend .label")?.textContent).toBe(HOSTILE);
    expect(JSON.parse(body.querySelector("#data")!.textContent!)).toHaveProperty("plots.0.unit", HOSTILE.replaceAll(" ", "·"));
    for (const element of body.querySelectorAll("*"))
      for (const { name } of element.attributes) expect(name.startsWith("on")).toBe(false);
  });
});

describe("drawings from outside", () => {
  const safe = (svg: string): string => htmlText(safePicture(svg, "p-"));

  test("keep their shapes", () => {
    expect(
      safe('<svg viewBox="0 0 9 9"><g fill="none"><path d="M0 0L9 9" stroke-width="2"/></g><text x="1">a &lt; b</text></svg>'),
    ).toBe(
      '<svg viewBox="0 0 9 9"><g fill="none"><path d="M0 0L9 9" stroke-width="2"></path></g><text x="1">a &lt; b</text></svg>',
    );
  });

  test("keep internal references, with prefixed names", () => {
    expect(safe('<svg><defs><marker id="tip"/></defs><path marker-end="url(#tip)"/><use href="#tip"/></svg>')).toBe(
      '<svg><defs><marker id="p-tip"></marker></defs><path marker-end="url(#p-tip)"></path><use href="#p-tip"></use></svg>',
    );
  });

  test.each([
    ["a script", "<svg><script>alert(1)</script></svg>", "<svg></svg>"],
    ["a handler", '<svg onload="alert(1)"><g onclick="x()"/></svg>', "<svg><g></g></svg>"],
    ["a link", '<svg><a href="javascript:alert(1)"><path/></a></svg>', "<svg></svg>"],
    ["a foreign page", "<svg><foreignObject><iframe src=x></iframe></foreignObject></svg>", "<svg></svg>"],
    ["a style", '<svg><style>*{}</style><path style="fill:url(http://x)" class="c"/></svg>', "<svg><path></path></svg>"],
    ["an image", '<svg><image href="http://x/y.png"/><use href="http://x#y"/></svg>', "<svg><use></use></svg>"],
    ["a colour from outside", '<svg><path fill="url(http://x#y)"/></svg>', "<svg><path></path></svg>"],
    ["an animation of a link", '<svg><animate attributeName="href" to="javascript:x"/><set/></svg>', "<svg></svg>"],
    ["anything around it", "<b>x</b><svg></svg><script>alert(1)</script>", "<svg></svg>"],
    ["no drawing", "<script>alert(1)</script>", ""],
    ["a script with markup", "<svg><script>'<g>'</script><g/></svg>", "<svg><g></g></svg>"],
    [
      "an escaped reference",
      '<svg><use href="&#106;avascript:x"/><path fill="url(&#x68;ttp://x)"/></svg>',
      "<svg><use></use><path></path></svg>",
    ],
    ["quotes in values", `<svg><g id='"><script>'/></svg>`, '<svg><g id="p-&quot;&gt;&lt;script&gt;"></g></svg>'],
    ["an unclosed element", "<svg><g><path></svg><script>", "<svg><g><path></path></g></svg>"],
    [
      "a comment and a lone bracket",
      "<svg><!-- <g> --><text>a < b &amp;&nbsp;c</text>",
      "<svg><text>a &lt; b &amp;&amp;nbsp;c</text></svg>",
    ],
    ["content of what is left out", "<svg><a><text>x</text></a><b>y</b></svg>", "<svg></svg>"],
  ])("lose %s", (_, svg, expected) => {
    expect(safe(svg)).toBe(expected);
  });
});

describe("packed columns", () => {
  const error = (column: Float64Array): number => {
    const back = unpackColumn(packColumn(column));
    return Math.max(...back.map((x, i) => Math.abs(x! - column[i]!)));
  };
  test("keep seven digits of the variation, for any offset", () => {
    expect(error(Float64Array.from({ length: 100 }, (_, i) => 75.255733558306 + 1e-10 * Math.sin(i)))).toBeLessThan(3e-14);
    expect(error(Float64Array.from({ length: 100 }, (_, i) => 1e-13 * Math.sin(i)))).toBeLessThan(1e-20);
    expect(error(Float64Array.from({ length: 100 }, (_, i) => 1e300 * Math.sin(i)))).toBeLessThan(1e293);
  });
  test("keep zeros and gaps", () => {
    expect(unpackColumn(packColumn(Float64Array.of(0, -3, Number.NaN, 0.5)))).toEqual([0, -3, null, 0.5]);
    expect(unpackColumn(packColumn(new Float64Array(3)))).toEqual([0, 0, 0]);
    expect(unpackColumn(packColumn(Float64Array.of(Number.NaN)))).toEqual([null]);
  });
});

describe("the model tree", () => {
  test("has the structure of the model", () => {
    const body = (name: string, parent?: string): BodyDescription => ({
      name,
      ...(parent !== undefined && { parent }),
      mass: 2,
      inertia: [1, 1, 1],
      hinge: { kind: "revolute", axis: "z" },
    });
    const model = createModel({ name: "m", bodies: [body("a"), body("b", "a"), body("c", "a"), body("d", "b")] });
    const names = (tree: readonly TreeBody[]): unknown[] => tree.map(({ name, children }) => [name, names(children)]);
    expect(names(bodyTree(model))).toEqual([["a", [["b", [["d", []]]], ["c", []]]]]); // biome-ignore format: a tree
  });

  test("limits nesting and length for a chain of 3000 links", () => {
    let chain: TreeBody[] = [];
    for (let i = 3000; i > 0; i--)
      chain = [{ name: `link${i}`, mass: 1, hinge: { name: `h${i}`, kind: "revolute", freedoms: 1 }, children: chain }];
    const { body } = documentOf(reportHtml({ ...sampleReport(2), tree: chain } satisfies RunReport));
    expect(body.textContent).toContain("3000 bodies, 3000 kg, 3000 freedoms");
    expect(body.querySelectorAll(".tree li").length).toBe(500);
    expect(body.textContent).toContain("and 2500 more");
  });
});
