import { useMemo } from "react";
import { encode } from "uqr";
import classes from "./second-factor.module.css";

/** Light modules around the code, without which a camera does not find it. */
const border = 4;

/** A QR code, dark on light in either theme: many cameras read no other. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: "M", border });
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: dark.join("") };
  }, [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
};
