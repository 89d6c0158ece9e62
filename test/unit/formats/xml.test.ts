/** The XML reader: what it reads, and everything that it refuses with a line. */
import { describe, expect, it } from "vitest";
import { readXml } from "../../../src/formats/xml/read-xml.ts";
import { rootElementName } from "../../../src/formats/xml/root-element.ts";
import { escapeXml } from "../../../src/formats/xml/xml-element.ts";

const problemOf = (text: string): { readonly message: string; readonly line: number | undefined } => {
  try {
    readXml(text, "file.xml");
  } catch (error) {
    const { message, line } = (error as { problems: { message: string; line?: number }[] }).problems[0]!;
    return { message, line };
  }
  return { message: "", line: undefined };
};

describe("readXml", () => {
  it("reads elements, attributes, text, comments, instructions and character data", () => {
    const root = readXml(
      '\ufeff<?xml version="1.0"?>\n<!-- a -- b -->\n<a x="1 &lt; 2" y=\'"\'>\n  one<b/>\n  <c:d e.f-g="&#65;&#x42;">&amp;<![CDATA[<raw>]]></c:d></a>\n<!-- end -->',
      "file.xml",
    );
    expect([root.name, root.text, root.line]).toEqual(["a", "one", 3]);
    expect([...root.attributes]).toEqual([
      ["x", "1 < 2"],
      ["y", '"'],
    ]);
    expect(root.children.map(({ name, text, line, column }) => [name, text, line, column])).toEqual([
      ["b", "", 4, 6],
      ["c:d", "&<raw>", 5, 3],
    ]);
    expect(root.children[1]!.attributes.get("e.f-g")).toBe("AB");
  });

  it("turns line ends in attributes to spaces, but keeps those by number", () => {
    expect(readXml('<a b="1\n2\t3&#10;4"/>', "f").attributes.get("b")).toBe("1 2 3\n4");
  });

  it.each([
    ["", "has no element", 1],
    ["<a>\n<b>\n</a>", "</a> does not close <b>, which starts in line 2", 3],
    ["<a>\n", "the file ends inside <a>, which starts in line 1", 2],
    ["<a/>\n<b/>", "<b> is a second root element", 2],
    ["<a/>text", "there is text outside of the root element", 1],
    ['<a\nx="1"\nx="2"/>', "<a> has the attribute x twice", 3],
    ["<a x=1/>", "the value of the attribute x of <a> is not in quotes", 1],
    ["<a x/>", "the attribute x of <a> has no value", 1],
    ['<a x="1', "the value of the attribute x of <a> is not closed", 1],
    ['<a x="<"/>', "is not closed by", 1],
    ['<a x="1"y="2"/>', "the tag <a has an unexpected character", 1],
    ["<a>&nbsp;</a>", "the reference &nbsp; is not known", 1],
    ["<a>&#0;</a>", "the reference &#0; is not known", 1],
    ["<a>\n a & b</a>", "an & is not followed by a name and ;", 2],
    ["<a>\u0001</a>", "a control character is not XML", 1],
    ["</a>", "</a> closes nothing", 1],
    ["<a><!-- </a>", "a comment is not closed by -->", 1],
    ["< a/>", "an element has no name", 1],
    ["<a></a", "the end tag </a is not closed by >", 1],
    ['<!DOCTYPE a [<!ENTITY b "c">]>\n<a>&b;</a>', "a document type or declaration <! is not read", 1],
  ])("refuses %j", (text, message, line) => {
    expect(problemOf(text)).toEqual({ message: expect.stringContaining(message), line });
  });

  it("limits depth, elements, attributes and names", () => {
    expect(problemOf("<a>".repeat(1001)).message).toBe("is nested deeper than 1000 levels");
    expect(problemOf(`<a>${"<b/>".repeat(150_000)}</a>`).message).toBe("has more than 150000 elements");
    const attributes = Array.from({ length: 201 }, (_, i) => ` a${i}=""`).join("");
    expect(problemOf(`<a${attributes}/>`).message).toBe("<a> has more than 200 attributes");
    expect(problemOf(`<${"a".repeat(201)}/>`).message).toContain("more than 200 characters");
  });

  it("reads what escapeXml writes", () => {
    const text = "a < b & c > \"d\" 'e'\n\tf\r";
    expect(readXml(`<a b="${escapeXml(text)}"/>`, "f").attributes.get("b")).toBe(text);
  });

  it("finds the root element without reading the file", () => {
    expect(rootElementName('<?xml version="1.0"?>\n<!-- <b> -->\n<!DOCTYPE x>\n <robot name="a"')).toBe("robot");
    expect(rootElementName("castor: 1")).toBeUndefined();
    expect(rootElementName("<!-- never closed")).toBe("");
  });
});
