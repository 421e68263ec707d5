import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useUnconfirmed } from "../../session/use-unconfirmed.ts";
import { Glyph } from "../../ui/glyph.tsx";
import classes from "./unconfirmed-chip.module.css";

/** How many alerts wait for confirmation; opens ALERT. */
export const UnconfirmedChip = () => {
  const { alerts, label, isPending, isUnknown } = useUnconfirmed();
  if (isPending) return null;
  if (isUnknown)
    return (
      <span className={classes.unknown}>
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        <span>Alerts could not be loaded</span>
      </span>
    );
  if (alerts.length === 0)
    return (
      <span className={classes.quiet}>
        <Glyph name="tick" size={15} />
        <span>No unconfirmed alerts</span>
      </span>
    );
  return (
    <Link to="/alarms" className={classes.chip}>
      <Glyph name="diamond-solid-bang" size={15} />
      <b>{label}</b>
      <span>unconfirmed</span>
    </Link>
  );
};
