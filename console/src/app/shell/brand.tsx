import { Link } from "@tanstack/react-router";
import { useUnconfirmed } from "../../session/use-unconfirmed.ts";
import { Mark } from "../../ui/mark.tsx";
import classes from "./bar.module.css";
import { useNewlyLit } from "./use-newly-lit.ts";

/** The mark as master lamp: red while something is unconfirmed, pulsing when it is new. Leads to the start page. */
export const Brand = () => {
  const { alerts, label, isPending } = useUnconfirmed();
  const isNew = useNewlyLit(isPending ? undefined : alerts);
  const isLit = alerts.length > 0;
  return (
    <Link to="/" className={classes.brand} aria-label={isLit ? `Telltale, ${label} unconfirmed` : "Telltale"}>
      <Mark size={26} isLit={isLit} isNew={isNew} />
      <span className={classes.word}>Telltale</span>
    </Link>
  );
};
