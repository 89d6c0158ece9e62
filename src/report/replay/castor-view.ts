/**
 * The element `castor-view`: plays a run. Pages and reports contain the source text of this function, so it is self-contained: it may import
 * types, but uses nothing outside its own body. It draws by WebGL without any library.
 *
 * `<castor-view src="run.castor-view.json">` fetches the data; `<castor-view><script type="application/json">...</script></castor-view>`
 * contains them. The data are those of `replayData`.
 */
import type { ReplayData, ReplayMesh, ReplayPlot } from "./replay-format.ts";

export function defineCastorView(): void {
  type Vec = readonly number[];
  interface DrawnMesh {
    readonly vertices: WebGLVertexArrayObject;
    readonly count: number;
    readonly colour: Vec;
  }
  interface Scene {
    readonly gl: WebGL2RenderingContext;
    readonly program: WebGLProgram;
    readonly bodies: readonly (readonly DrawnMesh[])[];
    /** Drawn at the origin: the ground, and shapes fixed to the world. */
    readonly fixed: readonly DrawnMesh[];
  }

  const VERTEX = `#version 300 es
in vec3 p; in vec3 n; uniform mat4 view; uniform vec4 q; uniform vec3 t; out vec3 normal; out vec3 world;
vec3 turn(vec3 v){ return v + 2.0*cross(q.xyz, cross(q.xyz, v) + q.w*v); }
void main(){ world = turn(p) + t; normal = turn(n); gl_Position = view*vec4(world, 1.0); }`;
  const FRAGMENT = `#version 300 es
precision highp float; in vec3 normal; in vec3 world; uniform vec3 colour; uniform vec3 sun; uniform vec3 up; uniform vec3 eye; out vec4 result;
void main(){ vec3 n = normalize(normal); vec3 e = normalize(eye - world); if (dot(n, e) < 0.0) n = -n;
float sky = 0.52 + 0.18*dot(n, up); float lit = 0.42*max(0.0, dot(n, sun)); float shine = 0.12*pow(max(0.0, dot(reflect(-sun, n), e)), 24.0);
result = vec4(colour*(sky + lit) + shine, 1.0); }`;
  const STYLE =
    ":host{display:flex;flex-direction:column;min-height:220px;font:13px system-ui,sans-serif;color:#1b2128;background:#fff;--line:#dde2e8}" +
    ".scene{position:relative;flex:1;min-height:160px;background:radial-gradient(120% 90% at 50% 35%,#fff,#dfe6ef)}" +
    ".scene.space{background:radial-gradient(120% 90% at 50% 35%,#131d2c,#020307);print-color-adjust:exact;-webkit-print-color-adjust:exact}" +
    "canvas{position:absolute;inset:0;width:100%;height:100%;object-fit:contain;touch-action:none}" +
    "@media print{canvas{object-fit:cover}}" +
    ".bar{display:flex;align-items:center;gap:8px;padding:6px 10px;border-top:1px solid var(--line)}.bar input{flex:1;min-width:40px}" +
    "button{font:inherit;color:inherit;background:none;border:1px solid #8b95a1;border-radius:6px;padding:3px 10px;min-width:4.5em;cursor:pointer}" +
    "output{font-variant-numeric:tabular-nums;white-space:nowrap}.note{padding:12px}" +
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr));gap:8px;padding:0 10px 8px}" +
    ".plots:empty{display:none}figure{margin:0}ul{display:flex;flex-wrap:wrap;gap:0 10px;margin:2px 0 0;padding:0;list-style:none;font-size:12px}" +
    "li::before{content:'';display:inline-block;width:10px;height:3px;margin-right:5px;vertical-align:middle;background:var(--line-colour)}" +
    ".times{display:flex;justify-content:space-between;font-size:11px}figcaption{font-weight:600;padding:4px 0}svg{width:100%;height:130px;display:block}" +
    ":focus-visible{outline:2px solid #0a5fb4;outline-offset:1px}" +
    "@media print{.bar{display:none}}" +
    "@media(prefers-color-scheme:dark){:host{color:#e6e9ed;background:#141a21;--line:#28303a}.scene:not(.space){background:radial-gradient(120% 90% at 50% 35%,#1a2533,#05080d)}}";
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b0579a", "#c98500", "#3b9bd6", "#7a7a7a"];
  const CREASE = Math.cos(0.6);

  const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const minus = (a: Vec, b: Vec): number[] => a.map((x, i) => x - b[i]!);
  const dot = (a: Vec, b: Vec): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const cross = (a: Vec, b: Vec): number[] => [
    a[1]! * b[2]! - a[2]! * b[1]!,
    a[2]! * b[0]! - a[0]! * b[2]!,
    a[0]! * b[1]! - a[1]! * b[0]!,
  ];
  const unit = (a: Vec): number[] => {
    const size = Math.hypot(...a) || 1;
    return a.map((x) => x / size);
  };
  const colourOf = (text: string): number[] => [1, 3, 5].map((i) => Number.parseInt(text.slice(i, i + 2), 16) / 255);

  interface Corners {
    readonly points: Float32Array;
    /** Mean of the faces that meet at a corner without a crease. */
    readonly normals: Float32Array;
  }

  /** Positions and normals of the three corners of each triangle. */
  const cornersOf = ({ unit: size, points, triangles }: ReplayMesh): Corners => {
    const own = new Int16Array(bytesOf(points));
    const index = new Uint16Array(bytesOf(triangles));
    const point = (i: number): Vec => [size * own[3 * i]!, size * own[3 * i + 1]!, size * own[3 * i + 2]!];
    const faces = Array.from({ length: index.length / 3 }, (_, f) => {
      const [a, b, c] = [point(index[3 * f]!), point(index[3 * f + 1]!), point(index[3 * f + 2]!)];
      return cross(minus(b, a), minus(c, a)); // as long as twice the area
    });
    const units = faces.map(unit);
    const at = Array.from({ length: own.length / 3 }, (): number[] => []);
    for (const [i, p] of index.entries()) at[p]!.push(Math.floor(i / 3));
    const out = { points: new Float32Array(3 * index.length), normals: new Float32Array(3 * index.length) };
    for (const [i, p] of index.entries()) {
      const face = units[Math.floor(i / 3)]!;
      const sum = [0, 0, 0];
      for (const f of at[p]!) if (dot(units[f]!, face) > CREASE) for (const k of [0, 1, 2]) sum[k]! += faces[f]![k]!;
      out.points.set(point(p), 3 * i);
      out.normals.set(unit(sum), 3 * i);
    }
    return out;
  };

  const compile = (gl: WebGL2RenderingContext): WebGLProgram => {
    const program = gl.createProgram()!;
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.bindAttribLocation(program, 0, "p");
    gl.bindAttribLocation(program, 1, "n");
    gl.linkProgram(program);
    return program;
  };

  const drawnMesh = (gl: WebGL2RenderingContext, mesh: ReplayMesh): DrawnMesh => {
    const { points, normals } = cornersOf(mesh);
    const vertices = gl.createVertexArray()!;
    gl.bindVertexArray(vertices);
    for (const [place, values] of [points, normals].entries()) {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    }
    return { vertices, count: points.length / 3, colour: colourOf(mesh.colour) };
  };

  class CastorView extends HTMLElement {
    #data: ReplayData | undefined;
    #poses = new Float32Array(0);
    #scene: Scene | undefined;
    #canvas: HTMLCanvasElement | undefined;
    #time = 0;
    #playing = false;
    #last = 0;
    #azimuth = -0.9;
    #elevation = 0.4;
    #zoom = 1;
    #centre: number[] = [0, 0, 0];
    #radius = 1;
    #follows = false;
    /** Centre of the view relative to the mean position of the bodies, if it follows them. */
    #offset: number[] = [0, 0, 0];
    /** Called after each change of the time. */
    #onTime: (() => void)[] = [];

    connectedCallback(): void {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      root.adoptedStyleSheets = [sheet];
      void this.#load().catch((error: Error) => this.#note(`The run cannot be shown: ${error.message}`));
    }

    /** Present time, s. */
    get time(): number {
      return this.#time;
    }

    set time(t: number) {
      const { from, to } = this.#data ?? { from: 0, to: 0 };
      this.#time = Math.min(to, Math.max(from, t));
      this.#draw();
      for (const act of this.#onTime) act();
    }

    #note(text: string): void {
      const note = document.createElement("p");
      note.className = "note";
      note.setAttribute("role", "alert");
      note.textContent = text;
      this.shadowRoot!.append(note);
    }

    async #load(): Promise<void> {
      const address = this.getAttribute("src");
      let text = this.querySelector('script[type="application/json"]')?.textContent ?? "";
      if (address !== null) {
        const response = await fetch(address);
        if (!response.ok) return this.#note(`The run cannot be shown: ${address}: the server answered ${response.status}`);
        text = await response.text();
      }
      const data = JSON.parse(text) as ReplayData;
      if (data?.castorView !== 1) return this.#note("The run cannot be shown: these are no data of castor-view, version 1");
      this.#data = data;
      this.#poses = new Float32Array(bytesOf(data.poses));
      this.#time = data.from;
      this.#build(data);
    }

    #build(data: ReplayData): void {
      const root = this.shadowRoot!;
      const make = <K extends keyof HTMLElementTagNameMap>(
        tag: K,
        attributes: Readonly<Record<string, string>> = {},
      ): HTMLElementTagNameMap[K] => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        return element;
      };
      const holder = make("div", { class: data.isInSpace ? "scene space" : "scene" });
      const canvas = make("canvas", {
        tabindex: "0",
        role: "img",
        "aria-label": `${data.title}. Arrow keys rotate the view, + and - zoom`,
      });
      holder.append(canvas);
      const play = make("button", { type: "button" });
      const slider = make("input", { type: "range", min: "0", max: "10000", value: "0", "aria-label": "Time" });
      const clock = make("output");
      const bar = make("div", { class: "bar" });
      bar.append(play, slider, clock);
      const plots = make("div", { class: "plots" });
      for (const plot of data.plots) plots.append(this.#plot(plot));
      root.append(holder, bar, plots);
      this.#canvas = canvas;
      const span = data.to - data.from;
      const digits = Math.max(0, 2 - Math.floor(Math.log10((span || 1) / 5)));
      const show = (): void => {
        slider.value = String(span > 0 ? Math.round((10_000 * (this.#time - data.from)) / span) : 0);
        clock.textContent = `${this.#time.toFixed(Math.min(9, digits))} s`;
      };
      const label = (): void => {
        play.textContent = this.#playing ? "Pause" : "Play";
      };
      play.addEventListener("click", () => {
        this.#playing = !this.#playing;
        if (this.#playing && this.#time >= data.to) this.time = data.from;
        label();
        this.#last = 0;
        if (this.#playing) requestAnimationFrame(step);
      });
      slider.addEventListener("input", () => {
        this.#playing = false;
        label();
        this.time = data.from + (span * Number(slider.value)) / 10_000;
      });
      // A run plays in real time if that takes 5 to 15 s, and otherwise in 9 s.
      const speed = span >= 5 && span <= 15 ? 1 : span / 9;
      const step = (now: number): void => {
        if (!this.#playing) return;
        const elapsed = this.#last === 0 ? 0 : Math.min(0.1, (now - this.#last) / 1000);
        this.#last = now;
        this.time = this.#time + elapsed * speed;
        if (this.#time >= data.to) this.#playing = false;
        label();
        if (this.#playing) requestAnimationFrame(step);
      };
      this.#onTime.push(show);
      this.#measure(data);
      this.#listen(canvas);
      const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
      const prepare = (): void => {
        if (gl === null) return;
        const bodies = data.bodies.map(({ meshes }) => meshes.map((mesh) => drawnMesh(gl, mesh)));
        const fixed = [...(data.ground ? [data.ground] : []), ...(data.world ?? [])].map((mesh) => drawnMesh(gl, mesh));
        this.#scene = { gl, program: compile(gl), bodies, fixed };
      };
      if (gl === null) this.#note("This browser has no WebGL, so the scene cannot be drawn.");
      prepare();
      canvas.addEventListener("webglcontextlost", (event) => {
        event.preventDefault();
        this.#scene = undefined;
      });
      canvas.addEventListener("webglcontextrestored", () => {
        prepare();
        this.#draw();
      });
      label();
      new ResizeObserver(() => this.#draw()).observe(canvas);
      this.time = data.from;
    }

    #measure({ view }: ReplayData): void {
      this.#centre = [...view.centre];
      this.#radius = view.radius;
      this.#follows = view.follows;
      this.#azimuth = view.azimuth;
      this.#elevation = view.elevation;
      if (view.follows) this.#offset = minus(view.centre, this.#middle());
    }

    /** Mean position of the bodies at the present time. */
    #middle(): number[] {
      const { bodies } = this.#data!;
      const sum = bodies.reduce((total, _, i) => total.map((x, k) => x + this.#pose(i)[0][k]!), [0, 0, 0]);
      return sum.map((x) => x / bodies.length);
    }

    #listen(canvas: HTMLCanvasElement): void {
      canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
      canvas.addEventListener("pointermove", (event) => {
        if (!canvas.hasPointerCapture(event.pointerId)) return;
        this.#turn(-0.008 * event.movementX, 0.008 * event.movementY);
      });
      canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        this.#zoom = Math.min(20, Math.max(0.05, this.#zoom * Math.exp(0.001 * event.deltaY)));
        this.#draw();
      });
      canvas.addEventListener("keydown", (event) => {
        const turns: Readonly<Record<string, readonly [number, number]>> = {
          ...{ ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] },
        };
        const turn = turns[event.key];
        if (turn) this.#turn(...turn);
        else if (event.key === "+" || event.key === "-") {
          this.#zoom *= event.key === "+" ? 0.88 : 1 / 0.88;
          this.#draw();
        } else return;
        event.preventDefault();
      });
    }

    #turn(azimuth: number, elevation: number): void {
      this.#azimuth += azimuth;
      this.#elevation = Math.min(1.5, Math.max(-1.5, this.#elevation + elevation));
      this.#draw();
    }

    #draw(): void {
      const [data, scene, canvas] = [this.#data, this.#scene, this.#canvas];
      if (!data || !scene || !canvas || canvas.clientWidth === 0) return;
      const { gl, program } = scene;
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      gl.viewport(0, 0, width, height);
      gl.enable(gl.DEPTH_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      if (this.#follows) this.#centre = this.#middle().map((x, i) => x + this.#offset[i]!);
      const up = unit(data.up);
      const side = unit(cross(up, Math.abs(up[2]!) > 0.9 ? [1, 0, 0] : [0, 0, 1]));
      const ahead = cross(side, up);
      const [ca, sa, ce, se] = [
        Math.cos(this.#azimuth),
        Math.sin(this.#azimuth),
        Math.cos(this.#elevation),
        Math.sin(this.#elevation),
      ];
      const back = up.map((u, i) => se * u + ce * (ca * ahead[i]! + sa * side[i]!));
      const right = unit(cross(up, back));
      const above = cross(back, right);
      const aspect = width / height;
      const half = Math.tan(0.3);
      // The rays at the border touch the sphere around the machine: sin, not tan, of half the angle of view.
      const distance = (this.#zoom * this.#radius) / Math.sin(Math.atan(half * Math.min(1, aspect)));
      const eye = this.#centre.map((x, i) => x + distance * back[i]!);
      const [near, far] = [0.01 * distance, 20 * distance + 20 * this.#radius];
      const rows = [right, above, back].map((axis) => [...axis, -dot(axis, eye)]);
      const projection = [1 / (half * aspect), 1 / half];
      const depth = [(far + near) / (near - far), (2 * far * near) / (near - far)];
      const view = new Float32Array(16);
      for (let c = 0; c < 4; c++) {
        view[4 * c] = projection[0]! * rows[0]![c]!;
        view[4 * c + 1] = projection[1]! * rows[1]![c]!;
        view[4 * c + 2] = depth[0]! * rows[2]![c]! + (c === 3 ? depth[1]! : 0);
        view[4 * c + 3] = -rows[2]![c]!;
      }
      gl.useProgram(program);
      const place = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
      gl.uniformMatrix4fv(place("view"), false, view);
      gl.uniform3fv(place("sun"), unit(up.map((u, i) => u + 0.5 * right[i]! + 0.6 * back[i]!)));
      gl.uniform3fv(place("up"), up);
      gl.uniform3fv(place("eye"), eye);
      const [q, t, colour] = [place("q"), place("t"), place("colour")];
      const drawMesh = (mesh: DrawnMesh): void => {
        gl.uniform3fv(colour, mesh.colour);
        gl.bindVertexArray(mesh.vertices);
        gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
      };
      gl.uniform4f(q, 0, 0, 0, 1);
      gl.uniform3f(t, 0, 0, 0);
      for (const mesh of scene.fixed) drawMesh(mesh);
      for (const [body, meshes] of scene.bodies.entries()) {
        const [position, turn] = this.#pose(body);
        gl.uniform4fv(q, turn);
        gl.uniform3fv(t, position);
        for (const mesh of meshes) drawMesh(mesh);
      }
    }

    /** Position and quaternion of a body, between samples. */
    #pose(body: number): readonly [Vec, Vec] {
      const { from, to, samples, bodies } = this.#data!;
      const place = to > from ? ((this.#time - from) / (to - from)) * (samples - 1) : 0;
      const k = Math.min(samples - 2, Math.floor(place));
      const s = place - k;
      const value = (sample: number, i: number): number => this.#poses[7 * (sample * bodies.length + body) + i]!;
      const position = [0, 1, 2].map((i) => (1 - s) * value(k, i) + s * value(k + 1, i));
      const [a, b] = [3, 4, 5, 6].reduce<[number[], number[]]>(
        (pair, i) => [
          [...pair[0], value(k, i)],
          [...pair[1], value(k + 1, i)],
        ],
        [[], []],
      );
      const sign = dot(a, b) < 0 ? -1 : 1;
      return [position, unit(a.map((x, i) => (1 - s) * x + s * sign * b[i]!))];
    }

    #plot({ title, unit: unitName, times, curves }: ReplayPlot): HTMLElement {
      const t = new Float64Array(bytesOf(times));
      const columns = curves.map(({ values }) => new Float32Array(bytesOf(values)));
      let [low, high] = [1 / 0, -1 / 0];
      for (const column of columns) for (const x of column) [low, high] = [Math.min(low, x), Math.max(high, x)];
      if (!(high > low)) [low, high] = [low - 1, low + 1];
      const [width, height] = [300, 100];
      const [first, last] = [t[0] ?? 0, t.at(-1) ?? 1];
      const x = (time: number): number => (width * (time - first)) / (last - first || 1);
      const y = (value: number): number => height - (height * (value - low)) / (high - low);
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", `0 -4 ${width} ${height + 8}`);
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", `${title}: ${curves.map(({ name }) => name).join(", ")}`);
      const path = (d: string, stroke: string): SVGElement => {
        const element = document.createElementNS("http://www.w3.org/2000/svg", "path");
        for (const [name, value] of Object.entries({
          d,
          stroke,
          fill: "none",
          "stroke-width": "1.4",
          "vector-effect": "non-scaling-stroke",
        }))
          element.setAttribute(name, value);
        svg.append(element);
        return element;
      };
      for (const [i, column] of columns.entries()) {
        let d = "";
        for (const [k, value] of column.entries()) d += `${k === 0 ? "M" : "L"}${x(t[k]!).toFixed(1)} ${y(value).toFixed(1)}`;
        path(d, COLOURS[i % COLOURS.length]!);
      }
      const cursor = path("", "currentColor");
      this.#onTime.push(() => cursor.setAttribute("d", `M${x(this.#time).toFixed(2)} -4V${height + 4}`));
      const key = document.createElement("ul");
      for (const [i, { name }] of curves.entries()) {
        const item = document.createElement("li");
        item.textContent = name;
        item.style.setProperty("--line-colour", COLOURS[i % COLOURS.length]!);
        key.append(item);
      }
      const ends = document.createElement("div");
      ends.className = "times";
      for (const time of [first, last])
        ends.append(Object.assign(document.createElement("span"), { textContent: `${Number(time.toPrecision(5))} s` }));
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      caption.textContent = `${title}${unitName === "" ? "" : `, ${unitName}`}: ${Number(low.toPrecision(3))} to ${Number(high.toPrecision(3))}`;
      figure.append(caption, key, svg, ends);
      return figure;
    }
  }
  if (customElements.get("castor-view") === undefined) customElements.define("castor-view", CastorView);
}
