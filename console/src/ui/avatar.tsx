import { useState } from "react";
import classes from "./avatar.module.css";

interface AvatarProps {
  /** Where the picture is; null where there is none. */
  src: string | null;
  /** Instead of a picture, also of one that can't be loaded. */
  initials: string;
  /** Edge in pixels. */
  size: number;
}

/** A person's picture. It only decorates: the name stands beside it. */
export const Avatar = ({ src, initials, size }: AvatarProps) => {
  const [missing, setMissing] = useState<string>();
  const style = { width: size, height: size, fontSize: Math.round(size * 0.39) };
  return src !== null && src !== missing ? (
    <img className={classes.avatar} style={style} src={src} alt="" onError={() => setMissing(src)} />
  ) : (
    <span className={classes.avatar} style={style} aria-hidden="true">
      {initials}
    </span>
  );
};
