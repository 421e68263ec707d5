import { type KeyboardEvent, useEffect, useId, useState } from "react";
import Cropper from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import classes from "./photo.module.css";
import type { Area } from "./picture.ts";

/** Edge of the square in which the picture is placed, pixels. */
const shown = 264;
const largestZoom = 5;
const zoomStride = 1.1;
const middle = { x: 0, y: 0 };

const zooms: Readonly<Record<string, number>> = { "+": zoomStride, "=": zoomStride, "-": 1 / zoomStride };

interface CropFieldProps {
  file: Blob;
  onChange: (area: Area) => void;
}

/** Places the picture in its square: by dragging, arrow keys, wheel, pinch, plus and minus, or the slider. */
export const CropField = ({ file, onChange }: CropFieldProps) => {
  const id = useId();
  const [address, setAddress] = useState<string>();
  const [crop, setCrop] = useState(middle);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    setCrop(middle);
    setZoom(1);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const factor = zooms[key];
    if (factor) setZoom(Math.min(Math.max(zoom * factor, 1), largestZoom));
  };
  return (
    <div className={classes.crop}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the square within, which the library draws */}
      <div className={classes.place} style={{ width: shown, height: shown }} onKeyDown={onKeyDown}>
        <Cropper
          image={address}
          aspect={1}
          objectFit="cover"
          showGrid={false}
          disableAutomaticStylesInjection
          keyboardStep={shown / 20}
          maxZoom={largestZoom}
          classes={{ cropAreaClassName: classes.square }}
          cropperProps={{
            role: "application",
            "aria-label": "Photo: move it with the arrow keys, zoom with plus and minus",
          }}
          {...{ crop, zoom }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, area) => onChange(area)}
        />
      </div>
      <label htmlFor={id}>Zoom</label>
      <input
        id={id}
        type="range"
        min={1}
        max={largestZoom}
        step={0.01}
        value={zoom}
        onChange={(event) => setZoom(Number(event.currentTarget.value))}
      />
    </div>
  );
};
