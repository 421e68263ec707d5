import { useNow } from "../../ui/use-now.ts";
import { durationText, exactDuration } from "./duration.ts";

interface LastingProps {
  since: Date;
  /** With the seconds. */
  isExact?: boolean;
}

/** The time that has passed since a moment, kept up to date. */
export const Lasting = ({ since, isExact = false }: LastingProps) => {
  const passed = useNow(since.getTime(), isExact) - since.getTime();
  return <span>{isExact ? exactDuration(passed) : durationText(passed)}</span>;
};
