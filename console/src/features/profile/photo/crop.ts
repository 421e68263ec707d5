/** The kept square of a picture: its centre in the picture's pixels, and the zoom. */
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

/** The crop, moved and zoomed so that it lies within the picture. */
const kept = (size: Size, crop: Crop): Crop => {
  const zoom = within(crop.zoom, 1, largestZoom);
  const half = edgeOf(size, { ...crop, zoom }) / 2;
  return { zoom, x: within(crop.x, half, size.width - half), y: within(crop.y, half, size.height - half) };
};

/** The largest centred square. */
export const middleOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Moves the crop when the picture is dragged by this share of the shown square's edge. */
export const dragged = (size: Size, crop: Crop, right: number, down: number): Crop => {
  const edge = edgeOf(size, crop);
  return kept(size, { ...crop, x: crop.x - right * edge, y: crop.y - down * edge });
};

/** Zooms about the centre of the view. */
export const zoomed = (size: Size, crop: Crop, zoom: number): Crop => kept(size, { ...crop, zoom });
