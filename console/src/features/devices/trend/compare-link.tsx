import { IconPlus } from "@tabler/icons-react";
import { Link } from "../../../ui/router/link.tsx";
import type { View } from "../readings/view.ts";
import classes from "./compare-link.module.css";

interface CompareLinkProps {
  deviceChannelId: number;
  view: View;
}

/** Opens the channel, in the same window, on the page that draws channels over one another. */
export const CompareLink = ({ deviceChannelId, view: { range, span } }: CompareLinkProps) => (
  <Link
    className={classes.compare}
    to="/compare"
    search={{
      channel: deviceChannelId,
      span,
      startTime: range?.start.toISOString(),
      endTime: range?.end.toISOString(),
    }}
  >
    <IconPlus size={15} stroke={1.8} aria-hidden />
    Compare
  </Link>
);
