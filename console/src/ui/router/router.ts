import { createBrowserHistory, type RouterHistory } from "@tanstack/history";
import type { ComponentType } from "react";
import { hrefOf, type Location, locationOf, type Target } from "./address.ts";
import { Entries } from "./entries.ts";
import type { Screen } from "./screen.tsx";
import { keepScroll, noteScroll } from "./scroll.ts";

/** What a guard gets to decide by. */
export interface Visit<C> {
  context: C;
  location: Location;
  /** The parts of the path that the route names `$name`. */
  params: Readonly<Record<string, string>>;
}

export interface FailureProps {
  error: unknown;
  /** Shows the screen again. */
  reset: () => void;
}

/** An address and what it shows. */
export interface Route<C> {
  /** Segments as they are; `$name` stands for any. */
  path: string;
  /** Runs before the route is shown; throws `redirect(…)` to go elsewhere. What throws at once spares loading the screen's code. */
  guard?(visit: Visit<C>): unknown;
  screen: Screen;
  /** What is around the screen; stays when the next route has the same. It places the screen with `Outlet`. */
  frame?: Screen;
  /** Shown when it takes a while until there is a frame. */
  pending?: ComponentType;
  /** Shown when the guard or the frame fails. */
  failure?: ComponentType<FailureProps>;
}

class Redirect extends Error {
  readonly target: Target;
  constructor(target: Target) {
    super("Redirected");
    this.target = target;
  }
}

/** For guards: `throw redirect({ to: "/login" })` shows another page in place of this one. */
export const redirect = (target: Target): Error => new Redirect(target);

/** What is on screen. */
export interface Shown {
  route: Route<unknown>;
  location: Location;
  /** Its frame is not there yet. */
  isPending?: boolean;
  /** Why the guard or the frame failed. */
  failure?: unknown;
  /** Why the screen could not be loaded. */
  screenFailure?: unknown;
  /** Stay where the page is scrolled to. */
  keepsScroll?: boolean;
}

export interface Navigation extends Target {
  /** Replaces this entry of the browser's history. */
  replace?: boolean | undefined;
  /** False: the page stays where it is scrolled to. */
  resetScroll?: boolean | undefined;
}

/** How long the previous page stays before `pending` takes its place, in milliseconds. */
const patience = 150;

const segmentsOf = (path: string): readonly string[] => path.split("/").filter((part) => part !== "");

/** The named parts of a path; undefined when the pattern does not match it. */
const paramsOf = (pattern: string, path: string): Record<string, string> | undefined => {
  const [wanted, given] = [segmentsOf(pattern), segmentsOf(path)];
  const isMatch = (part: string, index: number) =>
    part.startsWith("$") || part.toLowerCase() === given[index]?.toLowerCase();
  if (wanted.length !== given.length || !wanted.every(isMatch)) return undefined;
  const named = wanted.flatMap((part, index) => (part.startsWith("$") ? [[part.slice(1), given[index] ?? ""]] : []));
  return Object.fromEntries(named);
};

/** Fetches the code beside what the guard waits for, unless the guard declines at once. */
const enter = async <C>(route: Route<C>, visit: Visit<C>): Promise<Partial<Shown>> => {
  const guarding = route.guard?.(visit);
  const framing = route.frame?.load();
  const fetching = route.screen.load().then(
    () => ({}),
    (screenFailure: unknown) => ({ screenFailure }),
  );
  await Promise.all([guarding, framing]);
  return fetching;
};

interface RouterOptions<C> {
  routes: readonly Route<C>[];
  /** For addresses of no route. */
  fallback: Route<C>;
  context: C;
  /** Shown when a screen fails, within its frame. */
  failure: ComponentType<FailureProps>;
}

/** The router; it begins with the address that is open. */
export class Router<C = unknown> {
  readonly history: RouterHistory = createBrowserHistory();
  /** Shown when a screen fails. */
  readonly failure: ComponentType<FailureProps>;
  readonly #options: RouterOptions<C>;
  readonly #entries = new Entries(this.history);
  readonly #listeners = new Set<() => void>();
  #shown: Shown | undefined;
  #run = 0;
  #isLoading = false;
  #loading: Promise<void>;
  #keepsScroll = false;
  #isLeaving = false;
  #isAsking = false;

  constructor(options: RouterOptions<C>) {
    this.#options = options;
    this.failure = options.failure;
    this.history.subscribe((change) => {
      this.#isLeaving = false;
      if (!this.#entries.takes(change)) this.#loading = this.reload();
    });
    keepScroll(() => this.#shown?.location);
    this.#loading = this.reload();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Undefined until the first page is shown. */
  readonly shown = (): Shown | undefined => this.#shown;

  /** Whether a page is being loaded. */
  readonly isLoading = (): boolean => this.#isLoading;

  /** The address of a target, seen from the page that is open. */
  readonly hrefOf = (target: Target): string => hrefOf(target, locationOf(this.history.location));

  /** Resolves when the page is shown. */
  readonly navigate = (navigation: Navigation): Promise<void> => this.#go(navigation);

  /**
   * Leaves a page that is done with: back to the target if the user came from there, so that it is as it was left; otherwise the target takes the page's
   * place. Back does not return to the page either way. A query parameter that the target names as undefined must not be there.
   */
  readonly leave = (target: Target): void => {
    // Asked twice, it would go back two pages.
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    const { pathname } = new URL(this.hrefOf(target), document.baseURI);
    const named = typeof target.search === "object" ? Object.entries(target.search) : [];
    const without = named.flatMap(([name, value]) => (value === undefined ? [name] : []));
    const steps = this.#entries.stepsBackTo(pathname, without);
    if (steps === undefined) void this.#go({ ...target, replace: true });
    else this.history.go(-steps);
  };

  /** Waits for the answer to a question about leaving. */
  readonly ask = async <T>(question: Promise<T>): Promise<T> => {
    this.#isAsking = true;
    try {
      return await question;
    } finally {
      this.#isAsking = false;
    }
  };

  /** Something has opened over the page: Back calls `close`. Returns the function for when it has closed. */
  readonly cover = (close: () => void): (() => void) => {
    const uncover = this.#entries.cover(close);
    // While the question about leaving is open, the browser already stands at the entry before.
    if (!this.#entries.isOverlay && !this.#isLoading && !this.#isAsking) {
      const { href, state, key } = locationOf(this.history.location);
      this.#keepsScroll = true;
      this.history.push(href, { ...state, overlayOf: key }, { ignoreBlocker: true });
    }
    return uncover;
  };

  /** Fetches the code of an address' page. */
  readonly preload = (href: string): void => {
    const { screen } = this.#match(new URL(href, document.baseURI).pathname).route;
    void screen.load().catch(() => undefined);
  };

  /** Checks and loads the open address. */
  readonly reload = async (): Promise<void> => {
    this.#run += 1;
    const run = this.#run;
    const isCurrent = () => run === this.#run;
    const location = locationOf(this.history.location);
    const { route, params } = this.#match(location.pathname);
    const keepsScroll = this.#keepsScroll;
    this.#keepsScroll = false;
    this.#change(this.#shown, true);
    const wait = () =>
      isCurrent() && this.#needsFrame(route) && this.#change({ route, location, isPending: true }, true);
    const timer = setTimeout(wait, patience);
    try {
      const entered = await enter(route, { context: this.#options.context, location, params });
      if (isCurrent()) this.#change({ route, location, keepsScroll, ...entered }, false);
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof Redirect) await this.#go({ ...error.target, replace: true }, true);
      else this.#change({ route, location, failure: error }, false);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Whether there is something to show until the route's frame is there. */
  #needsFrame({ pending, frame }: Route<C>): boolean {
    return pending !== undefined && (!this.#shown || this.#shown.isPending || this.#shown.route.frame !== frame);
  }

  #match(pathname: string): { route: Route<C>; params: Record<string, string> } {
    for (const route of this.#options.routes) {
      const params = paramsOf(route.path, pathname);
      if (params) return { route, params };
    }
    return { route: this.#options.fallback, params: {} };
  }

  #change(next: Shown | undefined, isLoading: boolean): void {
    if (this.#shown && !this.#shown.isPending && next !== this.#shown) noteScroll(this.#shown.location);
    this.#shown = next;
    this.#isLoading = isLoading;
    for (const listener of this.#listeners) listener();
  }

  #go(navigation: Navigation, ignoreBlocker = false): Promise<void> {
    const from = locationOf(this.history.location);
    const href = hrefOf(navigation, from);
    const { state = {}, replace = false, resetScroll = true } = navigation;
    this.#keepsScroll = !resetScroll;
    const isHere = href === from.href && JSON.stringify(state) === JSON.stringify(from.state);
    if (isHere) this.#loading = this.reload();
    else if (!replace) this.history.push(href, state, { ignoreBlocker });
    else
      this.history.replace(href, this.#entries.isOverlay ? { ...state, overlayOf: from.key } : state, {
        ignoreBlocker,
      });
    return this.#loading;
  }
}
