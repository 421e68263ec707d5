/** The square of a picture that is kept: its middle in the picture's pixels, and how far it is zoomed in. */
export interface Crop {
  x: number;
  y: number;
  /** 1 keeps the whole of the shorter side. */
  zoom: number;
}

/** Width and height in pixels. */
export interface Size {
  width: number;
  height: number;
}

export const largestZoom = 5;

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Edge of the square in the picture's pixels. */
export const edgeOf = ({ width, height }: Size, { zoom }: Crop): number => Math.min(width, height) / zoom;

/** The same crop, moved and zoomed back to where it shows nothing but the picture. */
const kept = (size: Size, crop: Crop): Crop => {
  const zoom = within(crop.zoom, 1, largestZoom);
  const half = edgeOf(size, { ...crop, zoom }) / 2;
  return { zoom, x: within(crop.x, half, size.width - half), y: within(crop.y, half, size.height - half) };
};

/** The largest square in the middle. */
export const middleOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Follows the picture when it is dragged by this share of the shown square's edge. */
export const dragged = (size: Size, crop: Crop, right: number, down: number): Crop => {
  const edge = edgeOf(size, crop);
  return kept(size, { ...crop, x: crop.x - right * edge, y: crop.y - down * edge });
};

/** Zooms about the middle of what is shown. */
export const zoomed = (size: Size, crop: Crop, zoom: number): Crop => kept(size, { ...crop, zoom });
