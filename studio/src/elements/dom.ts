/** Creates elements: `h("button", { class: "plain", onclick: play }, "Play")`. Text is inserted as text, never as markup. */

type Child = Node | string | number | false | null | undefined;
type Handlers = { [K in keyof GlobalEventHandlersEventMap as `on${K}`]?: (event: GlobalEventHandlersEventMap[K]) => void };
export type Attributes = Handlers & Readonly<Record<string, unknown>>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG elements. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly (Child | readonly Child[])[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
}

function append(element: Element, children: readonly (Child | readonly Child[])[]): void {
  for (const child of children.flat() as readonly Child[])
    if (child !== false && child !== null && child !== undefined) element.append(child instanceof Node ? child : String(child));
}

/** Replaces all children of an element. */
export const replaceContent = (element: Element, ...children: readonly (Child | readonly Child[])[]): void => {
  element.replaceChildren();
  append(element, children);
};

/** Paths of the icons, in a view box of 16 by 16. */
const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  back: "M12 3v10L5 8zM3.5 3h1.5v10H3.5z",
  forward: "M4 3v10l7-5zM11 3h1.5v10H11z",
  restart: "M3 3h1.6v10H3zM13 3v10L6 8z",
  cancel: "M4 3 8 7l4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
  undo: "M6.5 3 3 6.5 6.5 10V7.4h3a2.6 2.6 0 0 1 0 5.2H6v1.4h3.5a4 4 0 0 0 0-8h-3z",
  redo: "M9.5 3 13 6.5 9.5 10V7.4h-3a2.6 2.6 0 0 0 0 5.2H10v1.4H6.5a4 4 0 0 1 0-8h3z",
  fit: "M2 2h4v1.5H3.5V6H2zM10 2h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zM12.5 10H14v4h-4v-1.5h2.5z",
  home: "M8 2 2 7.2l1 1.1L4 7.5V13h3V9.5h2V13h3V7.5l1 .8 1-1.1z",
  layers: "M8 2 1.5 5.5 8 9l6.5-3.5zM3 8 1.5 8.8 8 12.3l6.5-3.5L13 8 8 10.7z",
  theme: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 1 0-9z",
  link: "M6.2 9.8 9.8 6.2l.9.9-3.6 3.6zM7 4l1.4-1.4a3.5 3.5 0 0 1 5 5L12 9l-1-1 1.4-1.4a2 2 0 0 0-3-3L8 5zM9 12l-1.4 1.4a3.5 3.5 0 0 1-5-5L4 7l1 1-1.4 1.4a2 2 0 0 0 3 3L8 11z",
  open: "M2 4h4.5l1.3 1.5H14V13H2zM3.4 7v4.6h9.2V7z",
  save: "M7.2 2h1.6v6.2l2.1-2.1 1.1 1.1L8 11.2 4 7.2l1.1-1.1 2.1 2.1zM2.5 12.4h11V14h-11z",
  check: "M6.3 12.6 2 8.3l1.2-1.2 3.1 3.1 6.5-6.5L14 4.9z",
  pin: "M5 2h6v1.4h-1v4l1.6 2V11H8.7v3.5h-1.4V11H4.4V9.4L6 7.4v-4H5z",
  compare: "M2 4h7V2.2L13 5 9 7.8V6H2zM14 10H7V8.2L3 11l4 2.8V12h7z",
  zoomIn:
    "M6.5 2a4.5 4.5 0 0 1 3.6 7.2l3.7 3.7-1 1-3.7-3.7A4.5 4.5 0 1 1 6.5 2zm0 1.4a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2zM5.9 4.6h1.2v1.3h1.3v1.2H7.1v1.3H5.9V7.1H4.6V5.9h1.3z",
  zoomOut:
    "M6.5 2a4.5 4.5 0 0 1 3.6 7.2l3.7 3.7-1 1-3.7-3.7A4.5 4.5 0 1 1 6.5 2zm0 1.4a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2zM4.6 5.9h3.8v1.2H4.6z",
  zoomAll: "M1.5 3H3v10H1.5zM13 3h1.5v10H13zM4 8l3-2.6v1.9h2V5.4L12 8l-3 2.6V8.7H7v1.9z",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm-.8 2.8h1.6v1.6H7.2zm0 2.5h1.6v4H7.2z",
  command: "M2 3h12v10H2zm1.4 1.4v7.2h9.2V4.4zM4.4 6l1-.9L8 7.8 5.4 10.400l-1-.9L6.200 7.800zM8 9.400h3v1.200H8z",
  loop: "M5 4h5.500a3.500 3.500 0 0 1 2.900 5.500l-1.100-1A2 2 0 0 0 10.500 5.500H5V7.500L1.800 4.700 5 2zM11 12H5.500a3.500 3.500 0 0 1-2.900-5.500l1.100 1a2 2 0 0 0 1.800 3H11V8.500l3.200 2.800L11 14z",
  camera:
    "M5.500 3h5l1 1.500H14V13H2V4.500h2.500zM8 5.800a2.900 2.900 0 1 0 0 5.800 2.900 2.900 0 0 0 0-5.800zm0 1.400a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3z",
  fullscreen:
    "M2 2h5v1.500H4.600l2.700 2.700-1.100 1.100-2.700-2.700V7H2zM14 14H9v-1.500h2.400L8.700 9.800l1.100-1.100 2.700 2.700V9H14z",
  axes: "M7.3 1.500h1.400v7l5 2.900-.7 1.200L8 9.700l-5 2.900-.7-1.200 5-2.900z",
  plus: "M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z",
} as const;

export type IconName = keyof typeof ICONS;

export const icon = (name: IconName): SVGElement =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name], fill: "currentColor" }),
  );

/** A button with an icon. The label is its tooltip and its accessible name. */
export function iconButton(name: IconName, label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, ...attributes, onclick },
    icon(name),
  );
}

/** A button with an icon and a short text. The label is its tooltip and the longer accessible name, which contains the text. */
export const textButton = (name: IconName, text: string, label: string, onclick: () => void): HTMLButtonElement =>
  h("button", { type: "button", class: "plain with-icon", "aria-label": label, title: label, onclick }, icon(name), text);
