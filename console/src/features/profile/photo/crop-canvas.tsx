import { useEffect, useRef } from "react";
import { type Area, drawCrop } from "./picture.ts";

interface CropCanvasProps {
  picture: ImageBitmap;
  area: Area;
  /** Edge in pixels as shown. */
  size: number;
}

/** The crop of a picture as it will look. */
export const CropCanvas = ({ picture, area, size }: CropCanvasProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const edge = Math.round(size * devicePixelRatio);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, area);
  }, [picture, area]);
  return <canvas ref={canvas} width={edge} height={edge} style={{ width: size, height: size }} aria-hidden />;
};
