import { useElementSize } from "@mantine/hooks";
import { LineSign } from "./line-sign.tsx";
import { type Line, readingAt, shortened } from "./plots.ts";
import classes from "./read-out.module.css";

/** Characters of a name: a wider box would find no place beside the lines. */
const mostOfName = 20;

interface ReadOutProps {
  lines: readonly Line[];
  time: number;
  /** Where a box of this size stands. */
  placed: (size: { width: number; height: number }) => [left: number, top: number] | undefined;
}

/** Every channel at the cursor's moment. The table says the same to whoever cannot see it. */
export const ReadOut = ({ lines, time, placed }: ReadOutProps) => {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  // Its padding and border are not part of the measured size.
  const place = placed({ width: width + 24, height: height + 16 });
  const [left, top] = place ?? [0, 0];
  return (
    <div
      className={classes.box}
      style={{ left, top, visibility: width > 0 && place ? "visible" : "hidden" }}
      aria-hidden="true"
    >
      <div ref={ref}>
        <p>{lines[0]?.model.zone.stamp(time)}</p>
        {lines.map((line) => {
          const value = readingAt(line.model, time)?.[1];
          return (
            <p key={line.channelId} className={classes.row}>
              <LineSign place={line.place} />
              <span>{shortened(line.model.name, mostOfName)}</span>
              <b>{typeof value === "number" ? line.model.show(value) : "no data"}</b>
            </p>
          );
        })}
      </div>
    </div>
  );
};
