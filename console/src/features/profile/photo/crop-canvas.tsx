import { useEffect, useRef } from "react";
import type { Crop } from "./crop.ts";
import { drawCrop } from "./picture.ts";

interface CropCanvasProps extends React.ComponentProps<"canvas"> {
  picture: ImageBitmap;
  crop: Crop;
  /** Edge in pixels as shown. */
  size: number;
}

/** Preview of a cropped picture. */
export const CropCanvas = ({ picture, crop, size, ref, style, ...props }: CropCanvasProps) => {
  const own = useRef<HTMLCanvasElement>(null);
  const canvas = (ref as typeof own | undefined) ?? own;
  const edge = Math.round(size * devicePixelRatio);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop);
  }, [canvas, picture, crop]);
  return <canvas {...props} ref={canvas} width={edge} height={edge} style={{ ...style, width: size, height: size }} />;
};
