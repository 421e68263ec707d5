import type { HistoryLocation, RouterHistory } from "@tanstack/history";

declare module "@tanstack/history" {
  interface HistoryState {
    /** The key of the entry before, whose page this one shows as well: it was made when something opened over the page. */
    overlayOf?: string;
  }
}

/** A change of the history, as its subscribers get it. */
type Change = Parameters<Parameters<RouterHistory["subscribe"]>[0]>[0];

const indexOf = ({ state }: HistoryLocation): number => state.__TSR_index;

/**
 * The entries of the browser's history: for Back, which first closes what is open over a page, and for pages that are done with. The first thing that
 * opens over a page gets the page a second entry. Back comes to the first one then, closes what is open, and returns to the second; with nothing open it
 * goes on. So a page is left as it was, whatever was opened on it, and an entry of its own is needed no more than once a page.
 */
export class Entries {
  readonly #history: RouterHistory;
  #open: readonly (() => void)[] = [];
  #current: HistoryLocation;
  #isReturning = false;
  /** Where the places of the history lead, as far as this document has been there. */
  readonly #places: Pick<HistoryLocation, "pathname" | "search">[] = [];

  constructor(history: RouterHistory) {
    this.#history = history;
    this.#current = history.location;
    this.#note();
  }

  /** Whether the entry is a page's second one. */
  get isOverlay(): boolean {
    return this.#current.state.overlayOf !== undefined;
  }

  /** Something has opened over the page. Returns the function for when it has closed. */
  cover(close: () => void): () => void {
    this.#open = [...this.#open, close];
    return () => {
      this.#open = this.#open.filter((each) => each !== close);
    };
  }

  /** Notes a change of the history. Returns whether it was about what is over the page, so that the page stays. */
  takes({ location, action }: Change): boolean {
    const wasOverlay = this.isOverlay;
    this.#current = location;
    this.#note();
    if (this.#isReturning) {
      this.#isReturning = false;
      return true;
    }
    if (action.type !== "BACK" || !wasOverlay) return false;
    const close = this.#open.at(-1);
    if (!close) {
      this.#history.back();
      // From the first entry it may lead nowhere.
      return indexOf(location) > 0;
    }
    this.#isReturning = true;
    this.#history.forward();
    close();
    return true;
  }

  /** How many entries the page of this path, without these query parameters, is back, when it is the one before the open page. */
  stepsBackTo(path: string, without: readonly string[]): number | undefined {
    const steps = this.isOverlay ? 2 : 1;
    const before = this.#places[indexOf(this.#current) - steps];
    if (before?.pathname !== path) return undefined;
    const parameters = new URLSearchParams(before.search);
    return without.some((name) => parameters.has(name)) ? undefined : steps;
  }

  #note(): void {
    this.#places[indexOf(this.#current)] = this.#current;
  }
}
