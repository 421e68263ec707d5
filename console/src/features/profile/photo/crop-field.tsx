import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useId, useRef } from "react";
import { type Crop, dragged, largestZoom, zoomed } from "./crop.ts";
import { CropCanvas } from "./crop-canvas.tsx";
import classes from "./photo.module.css";

/** Edge of the square in which the picture is placed, pixels. */
const shown = 264;
/** How far an arrow key moves the picture, as a share of the square's edge. */
const stride = 0.05;
const zoomStride = 1.1;

interface CropFieldProps {
  picture: ImageBitmap;
  crop: Crop;
  onChange: (crop: Crop) => void;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-stride, 0],
  ArrowRight: [stride, 0],
  ArrowUp: [0, -stride],
  ArrowDown: [0, stride],
};

const zooms: Readonly<Record<string, number>> = { "+": zoomStride, "=": zoomStride, "-": 1 / zoomStride };

/** The wheel zooms the picture instead of scrolling the page; React's own listener is passive and could not prevent that. */
const useWheel = (zoomBy: (factor: number) => void) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const turn = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? zoomStride : 1 / zoomStride);
  });
  useEffect(() => {
    const listening = new AbortController();
    canvas.current?.addEventListener("wheel", turn, { passive: false, signal: listening.signal });
    return () => listening.abort();
  }, []);
  return canvas;
};

/** Positions the picture in its square: by dragging, arrow keys, wheel, plus and minus, or the slider. */
export const CropField = ({ picture, crop, onChange }: CropFieldProps) => {
  const id = useId();
  const zoomBy = (factor: number) => onChange(zoomed(picture, crop, crop.zoom * factor));
  const canvas = useWheel(zoomBy);
  const grip = useRef({ x: 0, y: 0 });
  const onPointerDown = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) => {
    currentTarget.setPointerCapture(pointerId);
    grip.current = { x, y };
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    onChange(dragged(picture, crop, (x - grip.current.x) / shown, (y - grip.current.y) / shown));
    grip.current = { x, y };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    const zoom = zooms[event.key];
    if (arrow) onChange(dragged(picture, crop, ...arrow));
    else if (zoom) zoomBy(zoom);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classes.crop}>
      <CropCanvas
        ref={canvas}
        picture={picture}
        crop={crop}
        size={shown}
        className={classes.place}
        tabIndex={0}
        role="application"
        aria-label="Photo: move it with the arrow keys, zoom with plus and minus"
        {...{ onPointerDown, onPointerMove, onKeyDown }}
      />
      <label htmlFor={id}>Zoom</label>
      <input
        id={id}
        type="range"
        min={1}
        max={largestZoom}
        step={0.01}
        value={crop.zoom}
        onChange={(event) => onChange(zoomed(picture, crop, Number(event.currentTarget.value)))}
      />
    </div>
  );
};
