/** One plot: title, channels with their values at the current time, and curves. */
import "./locale-fallback.ts";
import uPlot from "uplot";
import { h, iconButton, replaceContent, svg } from "../elements/dom.ts";
import { currentRun, type PlotSpec } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { alignCurves, curveValueAt, type PlotCurve, plotCurves } from "./curves.ts";
import { acceptDroppedChannels } from "./drag.ts";
import { fitLegend } from "./fit-legend.ts";
import { changePlot, commonNameParts, displayUnit, drawnRuns, removeChannel, removePlot } from "./plot-list.ts";
import { plotMenu } from "./plot-menu.ts";
import { lineColour, plotOptions } from "./plot-options.ts";
import { numberText, unitText } from "./text.ts";
import { type XyDrawing, xyDrawing } from "./xy-drawing.ts";

export class PlotView {
  readonly element: HTMLElement;
  readonly #studio: Studio;
  readonly #chips = h("ul", { class: "chips", "aria-label": "Channels of the plot" });
  readonly #head = h("header", { class: "plot-head" });
  readonly #body = h("div", { class: "plot-body" });
  readonly #marker = h("div", { class: "time-marker", "aria-hidden": "true" });
  #plot: uPlot | undefined;
  /** The drawing of a plot against another channel. */
  #xy: { readonly drawing: XyDrawing; readonly marks: readonly SVGElement[] } | undefined;
  #spec: PlotSpec;
  #curves: readonly PlotCurve[] = [];
  /** For each channel, the element that shows the value of its first curve. */
  #values: ReadonlyMap<string, HTMLElement> = new Map();
  /** Key of title, theme and curves. If it changes, the plot is rebuilt; otherwise it only gets new data. */
  #key = "";
  /** Time under the pointer while it is over a plot, s. */
  #hovered: number | undefined;
  #moreChips: HTMLButtonElement | undefined;
  readonly #resizeObserver = new ResizeObserver(() => this.#fit());

  constructor(studio: Studio, spec: PlotSpec) {
    this.#studio = studio;
    this.#spec = spec;
    this.element = h("figure", { class: "plot", "data-plot": spec.id }, this.#head, this.#chips, this.#body);
    this.element.addEventListener("pointerdown", () => studio.store.set({ activePlot: spec.id }));
    this.element.addEventListener("focusin", () => studio.store.set({ activePlot: spec.id }));
    acceptDroppedChannels(this.element, studio, () => spec.id);
    this.#resizeObserver.observe(this.#body);
  }

  get curves(): readonly PlotCurve[] {
    return this.#curves;
  }

  /** Updates everything except the current time. */
  update(spec: PlotSpec): void {
    const { state } = this.#studio;
    this.#spec = spec;
    const runs = drawnRuns(state);
    this.#curves = plotCurves(spec, runs, state.difference);
    const key = JSON.stringify([
      spec,
      state.theme,
      state.enlargedPlot === spec.id,
      this.#curves.map(({ channel, line, dash, unit }) => [channel, line, dash, unit]),
    ]);
    if (key !== this.#key || (this.#plot === undefined && this.#xy === undefined)) {
      this.#key = key;
      this.#showHead();
      this.#showChips();
      this.#draw();
    } else if (spec.x !== undefined) this.#drawXy();
    else this.#plot?.setData(this.#data(), false);
    this.#zoom();
    this.showTime();
  }

  showTime(): void {
    const { time } = this.#studio.state;
    const shownTime = this.#hovered ?? time;
    for (const [channel, element] of this.#values) {
      const curve = this.#curves.find((c) => c.channel === channel);
      const value = curve && curveValueAt(curve, shownTime);
      const text = value === undefined ? "" : numberText(value, 5);
      if (element.textContent !== text) element.textContent = text;
    }
    if (this.#xy)
      for (const [i, { x, y }] of this.#xy.drawing.marks(shownTime).entries()) {
        this.#xy.marks[i]?.setAttribute("cx", String(x));
        this.#xy.marks[i]?.setAttribute("cy", String(y));
      }
    const plot = this.#plot;
    if (plot === undefined) return;
    const x = plot.valToPos(time, "x");
    const isInside = x >= -0.5 && x <= plot.bbox.width / uPlot.pxRatio + 0.5; // reading `clientWidth` would compute the layout
    this.#marker.style.transform = `translateX(${x}px)`;
    this.#marker.classList.toggle("outside", !isInside);
  }

  close(): void {
    this.#resizeObserver.disconnect();
    this.#plot?.destroy();
    this.element.remove();
  }

  #showHead(): void {
    const { id, title } = this.#spec;
    const close = iconButton("cancel", `Remove the plot ${title}`, () => removePlot(this.#studio, id));
    this.element.setAttribute("aria-label", title);
    const { enlargedPlot } = this.#studio.state;
    const isLarge = enlargedPlot === id;
    const enlarge = iconButton(
      "fullscreen",
      isLarge ? `Make the plot ${title} small again` : `Enlarge the plot ${title}`,
      () => this.#studio.store.set({ enlargedPlot: isLarge ? undefined : id, activePlot: id }),
      { "aria-pressed": String(isLarge) },
    );
    const actions = h("div", { class: "actions" }, this.#unitChoice(), enlarge, plotMenu(this.#studio, this, this.#spec), close);
    const controls = (): HTMLElement[] => [...this.#head.querySelectorAll<HTMLElement>("button, select")];
    const focused = controls().findIndex((control) => control === document.activeElement);
    replaceContent(this.#head, h("figcaption", { title }, title), actions);
    if (focused >= 0) controls()[focused]?.focus(); // the keyboard goes on where it was
  }

  /** A selector of display units, if all channels have the same unit. */
  #unitChoice(): HTMLElement | false {
    const units = [...new Set(this.#curves.map(({ unit }) => unit))];
    const logUnit = this.#curves[0]?.logUnit;
    if (units.length !== 1 || logUnit === undefined) return false;
    const choices = unitChoices(logUnit);
    if (choices.length < 2) return false; // the axis shows the only unit
    const select = h(
      "select",
      { class: "unit", "aria-label": `Unit of ${this.#spec.title}` },
      ...choices.map((unit) => h("option", { value: unit, selected: unit === units[0] }, unitText(unit))),
    );
    select.addEventListener("change", () =>
      changePlot(this.#studio, this.#spec.id, { unit: select.value === logUnit ? undefined : select.value }),
    );
    return select;
  }

  #showChips(): void {
    const isDifference = this.#studio.state.difference && this.#curves.every(({ dash }) => dash > 0);
    this.#values = new Map(this.#spec.channels.map((channel) => [channel, h("output", { "aria-live": "off" })]));
    const [start, end] = commonNameParts(this.#spec.channels);
    const chips = this.#spec.channels.map((channel, line) => {
      const isDrawn = this.#curves.some((curve) => curve.channel === channel);
      const remove = (): void => removeChannel(this.#studio, channel, this.#spec.id);
      const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = lineColour(line);
      return h(
        "li",
        { class: isDrawn ? "chip" : "chip absent", title: isDrawn ? channel : `No run contains ${channel}` },
        swatch,
        h(
          "span",
          { class: "name" },
          isDifference && "Δ ",
          h("span", { class: "heard" }, channel.slice(0, start)),
          channel.slice(start, channel.length - end),
          h("span", { class: "heard" }, channel.slice(channel.length - end)),
        ),
        this.#values.get(channel),
        h("button", { type: "button", class: "remove", "aria-label": `Remove ${channel} from the plot`, onclick: remove }, "×"),
      );
    });
    const measured = this.#curves.filter((curve) => curve.isMeasured);
    for (const { channel, line, run } of measured) {
      const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = lineColour(line);
      const name = measured.length > 1 ? `${channel.slice(start, channel.length - end)}, ${run.label}` : run.label;
      chips.push(h("li", { class: "chip", title: `${channel}, ${run.label}` }, swatch, h("span", { class: "name" }, name)));
    }
    const more = h("button", { type: "button", class: "more", hidden: true, onclick: () => this.#chips.classList.toggle("all") });
    this.#moreChips = more;
    this.#chips.classList.remove("all");
    replaceContent(
      this.#chips,
      ...(chips.length > 0 ? chips : [h("li", { class: "hint" }, "Drag channels here, or click them in the Channels panel.")]),
      h("li", { class: "more-item" }, more),
    );
    requestAnimationFrame(() => fitLegend(this.#chips, more));
  }

  #data(): uPlot.AlignedData {
    return alignCurves(this.#curves, this.#spec.scale === "log") as uPlot.AlignedData;
  }

  /** Draws the plot against another channel. */
  #drawXy(): void {
    const { clientWidth, clientHeight } = this.#body;
    const size = { width: Math.max(120, clientWidth), height: Math.max(90, clientHeight) };
    const range = this.#studio.state.zoom ?? ([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const);
    const drawing = xyDrawing(this.#spec, this.#curves, { ...size, range, isAlone: false });
    const element = document.importNode(new DOMParser().parseFromString(drawing.svg, "image/svg+xml").documentElement, true);
    element.setAttribute("class", "xy");
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", `${this.#spec.title}: ${this.#spec.channels.join(", ")} against ${this.#spec.x}`);
    const marks = drawing
      .marks(this.#studio.state.time)
      .map(({ line }) => svg("circle", { r: 4, fill: lineColour(line), stroke: "var(--card)", "stroke-width": 1.5 }));
    element.append(...marks);
    replaceContent(this.#body, element);
    this.#xy = { drawing, marks };
  }

  #draw(): void {
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#xy = undefined;
    if (this.#spec.x === undefined) this.#drawCurves();
    else this.#drawXy();
  }

  #drawCurves(): void {
    replaceContent(this.#body);
    const { clientWidth: width, clientHeight: height } = this.#body;
    const options = plotOptions(
      this.#spec,
      this.#curves,
      { width: Math.max(80, width), height: Math.max(60, height) },
      {
        onZoom: (times, values) => {
          if (values || times === undefined) changePlot(this.#studio, this.#spec.id, { range: values });
          if (times || values === undefined) this.#studio.store.set({ zoom: times });
        },
        onClick: (time) => {
          this.#studio.store.set({ playing: false });
          this.#studio.seek(time);
        },
        onHover: (time) => {
          this.#hovered = time;
          this.showTime();
        },
        onDraw: () => this.showTime(),
      },
    );
    this.#plot = new uPlot(options, this.#data(), this.#body);
    this.#plot.over.append(this.#marker);
    const channelNames = this.#spec.channels.join(", ") || "nothing";
    this.#plot.root.setAttribute("role", "img");
    this.#plot.root.setAttribute("aria-label", `${this.#spec.title}: ${channelNames} against time`);
  }

  #fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#body;
    if (width === 0 || height === 0) return;
    this.#plot?.setSize({ width, height });
    if (this.#xy) {
      this.#drawXy();
      this.showTime();
    }
    if (this.#moreChips) fitLegend(this.#chips, this.#moreChips);
  }

  #zoom(): void {
    const { zoom } = this.#studio.state;
    const end = this.#curves.reduce((most, { t }) => Math.max(most, t.at(-1) ?? 0), 0);
    const from = this.#studio.startTime();
    const isRunning = currentRun(this.#studio.state)?.status === "running";
    const duration = isRunning ? (this.#studio.state.scenario?.duration ?? 0) - from : 0;
    const [min, max] = zoom ?? [from, from + visibleSpan(end - from, duration)];
    this.#plot?.setScale("x", { min, max });
  }
}

/** Visible span of a run, s: the whole run, or 1/2, 1/4, ... of it while it has only that many samples. */
function visibleSpan(end: number, duration: number): number {
  let span = Math.max(end, duration) || 1;
  while (end > 0 && span / 2 > end) span /= 2;
  return span;
}

function unitChoices(logUnit: string): readonly string[] {
  return [
    ...new Set([logUnit, ...["deg", "deg/s", "rpm", "mm", "km"].filter((unit) => displayUnit(logUnit, unit).unit === unit)]),
  ];
}
