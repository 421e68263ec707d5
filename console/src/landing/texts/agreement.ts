/** A text that users agree to. */
export interface Agreement {
  title: string;
  /** A summary in one or two sentences. */
  lead: string;
  sections: readonly { heading: string; paragraphs: readonly string[] }[];
}
