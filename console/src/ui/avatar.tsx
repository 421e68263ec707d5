import { useState } from "react";
import classes from "./avatar.module.css";

interface AvatarProps {
  /** URL of the picture; null without one. */
  src: string | null;
  /** Shown instead of a picture, also when it fails to load. */
  initials: string;
  /** Edge in pixels. */
  size: number;
}

/** A user's picture. Decorative: the name is shown beside it. */
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
