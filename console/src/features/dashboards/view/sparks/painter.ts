import { type Colours, coloursOf } from "./paint.ts";

/** A drawing that is kept up to date. */
export interface Drawing {
  canvas: HTMLCanvasElement;
  draw: (size: { width: number; height: number; density: number }, colours: Colours) => void;
}

interface Kept extends Drawing {
  width: number;
  height: number;
  /** How much the page enlarges it, as a wall does: measured sizes are those before. */
  zoom: number;
  isVisible: boolean;
  drawnAt: number;
}

/** A drawing is renewed at most once in so many milliseconds: an hour moves by a pixel in about ten seconds. */
const pause = 1000;

/** Drawings of one frame, so that sixty-four that change together do not hold up the frame. */
const perFrame = 8;

const drawings = new Map<Element, Kept>();
const changed = new Set<Kept>();
let isRequested = false;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Of the theme, until it changes. */
let colours: Colours | undefined;

const isDue = ({ drawnAt }: Kept, now: number): boolean => now - drawnAt >= pause;

/** Draws some of those that are due; the others in the next frames, or when their time has come. */
const drawSome = (): void => {
  isRequested = false;
  const now = performance.now();
  const due = [...changed].filter((each) => each.isVisible && each.width > 0 && isDue(each, now)).slice(0, perFrame);
  for (const each of due) {
    changed.delete(each);
    each.drawnAt = now;
    colours ??= coloursOf(document.documentElement);
    each.draw({ width: each.width, height: each.height, density: devicePixelRatio * each.zoom }, colours);
  }
  request();
};

const request = (): void => {
  if (isRequested) return;
  const shown = [...changed].filter(({ isVisible, width }) => isVisible && width > 0);
  if (shown.length === 0) return;
  clearTimeout(waiting);
  const wait = pause - (performance.now() - Math.min(...shown.map(({ drawnAt }) => drawnAt)));
  if (wait > 0) {
    waiting = setTimeout(request, wait);
    return;
  }
  isRequested = true;
  requestAnimationFrame(drawSome);
};

const mark = (each: Kept): void => {
  changed.add(each);
  request();
};

/** Draws again at once, because what it shows is no longer what it was: its size, or its state. */
const renew = (each: Kept): void => {
  each.drawnAt = Number.NEGATIVE_INFINITY;
  mark(each);
};

const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const each = drawings.get(target);
    if (!each) continue;
    each.width = contentRect.width;
    each.height = contentRect.height;
    each.zoom = target.getBoundingClientRect().width / contentRect.width || 1;
    renew(each);
  }
});

const places = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const each = drawings.get(target);
    if (!each) continue;
    each.isVisible = isIntersecting;
    if (isIntersecting) mark(each);
  }
});

new MutationObserver(() => {
  colours = undefined;
  drawings.forEach(renew);
}).observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });

/** An hour moves on also where no reading comes. */
const moves = 10_000;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Keeps a drawing up to date while it is in view. All drawings of the page share the frames: a few in each, every one at most once a second. Returns how to
 * mark it as changed, to have it drawn at once, and to end.
 */
export const keepDrawn = (drawing: Drawing) => {
  const kept: Kept = { ...drawing, width: 0, height: 0, zoom: 1, isVisible: false, drawnAt: Number.NEGATIVE_INFINITY };
  drawings.set(drawing.canvas, kept);
  sizes.observe(drawing.canvas);
  places.observe(drawing.canvas);
  timer ??= setInterval(() => drawings.forEach(mark), moves);
  return {
    changed: () => mark(kept),
    renew: () => renew(kept),
    end: () => {
      drawings.delete(drawing.canvas);
      changed.delete(kept);
      sizes.unobserve(drawing.canvas);
      places.unobserve(drawing.canvas);
      if (drawings.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
};
