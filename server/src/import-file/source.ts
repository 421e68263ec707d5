/** A place in a file from which it can be read on: bytes of its (unpacked) content before it, or readings of a JSON document; and lines before it. */
export interface Place {
  position: number;
  line: number;
}

export const beginning: Place = { position: 0, line: 0 };

/** How a file names a series of readings. */
export interface SeriesName {
  /** Empty when the file names none. */
  device: string;
  channel: string;
  /** Other names of the channel, by which it may be mapped. */
  also?: readonly string[];
}

/** Takes what a file says. */
export interface Into {
  /** The number of the series of this identity, which it keeps; `nameOf` is asked when it is new. */
  seriesOf(identity: string, nameOf: () => SeriesName): number;
  /** A reading: time in epoch milliseconds, status as `ReadingStatus`, its line from 1. */
  reading(series: number, time: number, value: number, status: number, line: number): void;
  /** A line, or a value of it, that is no reading. */
  unreadable(line: number, reason: string): void;
}

/** A part of a file. */
export interface Portion {
  read(into: Into): void;
  /** Asks for the numbers of its series, and reads nothing. */
  look(into: Pick<Into, "seriesOf">): void;
  /** Where the next portion begins. */
  end: Place;
  /** Part of the file that has been read with it, from 0 to 1. */
  done: number;
}

/** A file of readings. */
export interface Source {
  portions(from: Place): AsyncIterable<Portion>;
  /** Whether the first portion names every series of the file. */
  namesFirst: boolean;
  /** What is counted as a line. */
  unit: "line" | "reading";
}

/** What is read besides the file itself. */
export interface ReadingOptions {
  /** The device of a file that names none. */
  device?: string | undefined;
  delimiter?: string | undefined;
  decimal?: "," | "." | undefined;
  timezone?: string | undefined;
  precision?: Precision | undefined;
  deviceTag?: string | undefined;
}

/** Units of times that are numbers. */
export const precisions = ["s", "ms", "us", "ns"] as const;
export type Precision = (typeof precisions)[number];

/** The file cannot be imported as it is; the message says what to do. Nothing has been stored. */
export class BadSource extends Error {}
