/** A text that people agree to. */
export interface Agreement {
  title: string;
  /** What it is, in a sentence or two. */
  lead: string;
  sections: readonly { heading: string; paragraphs: readonly string[] }[];
}
