/**
 * Writes encoded video frames as a WebM file: EBML header, then one segment with its information, one video track, clusters of frames, and an
 * index (cues) of the key frames, so that players can seek. Matroska specification, RFC 9559.
 */

export interface VideoFrameData {
  readonly data: Uint8Array;
  /** Time of the frame, ms from the start. */
  readonly time: number;
  readonly isKey: boolean;
}

export interface VideoTrack {
  readonly codec: "V_VP8" | "V_VP9";
  readonly width: number;
  readonly height: number;
  /** Duration of the whole video, ms. */
  readonly duration: number;
  readonly title: string;
}

/** Largest time of a frame within its cluster, ms: block times are 16-bit numbers. */
const MAX_CLUSTER_TIME = 30_000;

/** @param frames in the order of their times; the first is a key frame. */
export function webmFile(track: VideoTrack, frames: readonly VideoFrameData[]): Uint8Array<ArrayBuffer> {
  const head = concat([information(track), tracks(track)]);
  const clusters = clusterFrames(frames);
  // The index names the position of each cluster from the start of the segment's data. It comes last, so it does not move them.
  let position = head.length;
  const cues = clusters.map(({ time, bytes }) => {
    const cue = master(0xbb, [unsigned(0xb3, time), master(0xb7, [unsigned(0xf7, TRACK_NUMBER), unsigned(0xf1, position)])]);
    position += bytes.length;
    return cue;
  });
  const segment = master(0x18538067, [head, ...clusters.map(({ bytes }) => bytes), master(0x1c53bb6b, cues)]);
  return concat([header(), segment]);
}

const TRACK_NUMBER = 1;

const header = (): Uint8Array =>
  master(0x1a45dfa3, [
    unsigned(0x4286, 1), // EBMLVersion
    unsigned(0x42f7, 1), // EBMLReadVersion
    unsigned(0x42f2, 4), // EBMLMaxIDLength
    unsigned(0x42f3, 8), // EBMLMaxSizeLength
    text(0x4282, "webm"), // DocType
    unsigned(0x4287, 4), // DocTypeVersion
    unsigned(0x4285, 2), // DocTypeReadVersion
  ]);

const information = ({ duration, title }: VideoTrack): Uint8Array =>
  master(0x1549a966, [
    unsigned(0x2ad7b1, 1_000_000), // TimestampScale: times are in milliseconds
    float(0x4489, duration),
    text(0x7ba9, title),
    text(0x4d80, "Castor"), // MuxingApp
    text(0x5741, "Castor studio"), // WritingApp
  ]);

const tracks = ({ codec, width, height }: VideoTrack): Uint8Array =>
  master(0x1654ae6b, [
    master(0xae, [
      unsigned(0xd7, TRACK_NUMBER),
      unsigned(0x73c5, TRACK_NUMBER), // TrackUID
      unsigned(0x83, 1), // TrackType: video
      unsigned(0x9c, 0), // FlagLacing
      text(0x86, codec),
      master(0xe0, [unsigned(0xb0, width), unsigned(0xba, height)]),
    ]),
  ]);

interface Cluster {
  readonly time: number;
  readonly bytes: Uint8Array;
}

/** A cluster begins with each key frame, and whenever the times of its blocks would become too large. */
function clusterFrames(frames: readonly VideoFrameData[]): Cluster[] {
  const clusters: { time: number; blocks: Uint8Array[] }[] = [];
  for (const { data, time, isKey } of frames) {
    const present = clusters.at(-1);
    const start = present === undefined || isKey || time - present.time > MAX_CLUSTER_TIME;
    const cluster = start ? { time, blocks: [] } : present;
    if (start) clusters.push(cluster);
    const offset = time - cluster.time;
    const blockHead = Uint8Array.of(0x80 | TRACK_NUMBER, offset >> 8, offset & 0xff, isKey ? 0x80 : 0);
    cluster.blocks.push(element(0xa3, concat([blockHead, data])));
  }
  return clusters.map(({ time, blocks }) => ({ time, bytes: master(0x1f43b675, [unsigned(0xe7, time), ...blocks]) }));
}

const master = (id: number, parts: readonly Uint8Array[]): Uint8Array => element(id, concat(parts));

function element(id: number, data: Uint8Array): Uint8Array {
  return concat([bytesOf(id), sizeOf(data.length), data]);
}

/** The size of an element in eight bytes: a marker bit, then 56 bits. */
function sizeOf(size: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x01000000 | Math.floor(size / 2 ** 32));
  view.setUint32(4, size >>> 0);
  return bytes;
}

/** A number in as few bytes as possible, at least one, most significant byte first. */
function bytesOf(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

const unsigned = (id: number, value: number): Uint8Array => element(id, bytesOf(value));

const text = (id: number, value: string): Uint8Array => element(id, new TextEncoder().encode(value));

function float(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
