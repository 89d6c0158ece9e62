/** Splitters between the parts of the desk, and buttons that fold the parts. Sizes are kept by the browser. */
import { h } from "./dom.ts";

export type FoldablePart = "left" | "right" | "bottom";

interface PartLayout {
  readonly label: string;
  /** Smallest, usual and largest size: px for columns, percent of the height for the bottom. */
  readonly sizes: readonly [number, number, number];
  readonly unit: "px" | "%";
}

const PARTS: Readonly<Record<FoldablePart, PartLayout>> = {
  left: { label: "model and channels", sizes: [160, 240, 520], unit: "px" },
  right: { label: "settings", sizes: [220, 320, 640], unit: "px" },
  bottom: { label: "plots", sizes: [12, 42, 85], unit: "%" },
};
const KEY = "castor-layout";
/** Change of the size per key press, in parts of the usual size. */
const KEY_STEP = 0.06;

type PartSizes = Partial<Record<FoldablePart, { readonly size?: number; readonly folded?: boolean }>>;

function stored(): PartSizes {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}")) as PartSizes;
  } catch {
    return {};
  }
}

/** Adds the splitters to the desk. Returns a function that folds or unfolds a part. */
export function addSplitters(desk: HTMLElement): (part: FoldablePart) => void {
  let layout = stored();
  const parts = Object.keys(PARTS) as FoldablePart[];
  const elements = new Map<FoldablePart, { separator: HTMLElement; fold: HTMLButtonElement }>();
  const apply = (): void => {
    for (const part of parts) {
      const { size, folded } = layout[part] ?? {};
      const { sizes, unit, label } = PARTS[part];
      const value = Math.min(sizes[2], Math.max(sizes[0], Number.isFinite(size) ? size! : sizes[1]));
      desk.style.setProperty(`--${part}`, folded ? "0px" : unit === "px" ? `${value}px` : `${value}fr`);
      if (unit === "%") desk.style.setProperty(`--beside-${part}`, folded ? "1fr" : `${100 - value}fr`);
      desk.classList.toggle(`folded-${part}`, folded === true);
      const { separator, fold } = elements.get(part)!;
      separator.setAttribute("aria-valuenow", String(Math.round(folded ? 0 : value)));
      fold.setAttribute("aria-expanded", String(!folded));
      fold.setAttribute("aria-label", `${folded ? "Show" : "Hide"} the ${label}`);
      fold.title = `${folded ? "Show" : "Hide"} the ${label}`;
    }
    try {
      localStorage.setItem(KEY, JSON.stringify(layout));
    } catch {
      // without storage the sizes last until the page is closed
    }
  };
  const set = (part: FoldablePart, change: { readonly size?: number; readonly folded?: boolean }): void => {
    layout = { ...layout, [part]: { ...layout[part], ...change } };
    apply();
  };
  const toggle = (part: FoldablePart): void => set(part, { folded: layout[part]?.folded !== true });
  for (const part of parts) {
    const { label, sizes, unit } = PARTS[part];
    const isRow = unit === "%";
    const separator = h("div", {
      ...{ role: "separator", tabindex: "0", class: "handle", "aria-label": `Size of the ${label}` },
      ...{ "aria-orientation": isRow ? "horizontal" : "vertical", "aria-valuemin": 0, "aria-valuemax": sizes[2] },
    });
    const fold = h("button", { type: "button", class: "fold", onclick: () => toggle(part) });
    const sizeAt = ({ clientX, clientY }: PointerEvent): number => {
      const { left, right, top, bottom } = desk.getBoundingClientRect();
      if (part === "left") return clientX - left;
      return part === "right" ? right - clientX : (100 * (bottom - clientY)) / (bottom - top);
    };
    separator.addEventListener("pointerdown", (event) => {
      separator.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    separator.addEventListener("pointermove", (event) => {
      if (!separator.hasPointerCapture(event.pointerId)) return;
      const size = sizeAt(event);
      set(part, { size: Math.min(sizes[2], Math.max(sizes[0], size)), folded: size < 0.5 * sizes[0] });
    });
    separator.addEventListener("dblclick", () => set(part, { size: sizes[1], folded: false }));
    separator.addEventListener("keydown", (event) => {
      const larger = part === "left" ? "ArrowRight" : part === "right" ? "ArrowLeft" : "ArrowUp";
      const smaller = part === "left" ? "ArrowLeft" : part === "right" ? "ArrowRight" : "ArrowDown";
      const present = layout[part]?.size ?? sizes[1];
      const step = event.key === larger ? 1 : event.key === smaller ? -1 : 0;
      if (event.key === "Enter") toggle(part);
      else if (step !== 0)
        set(part, { size: Math.min(sizes[2], Math.max(sizes[0], present + step * KEY_STEP * sizes[1])), folded: false });
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    elements.set(part, { separator, fold });
    desk.append(h("div", { class: `splitter splitter-${part}` }, separator, fold));
  }
  apply();
  return toggle;
}
