import type { StoodAlert } from "@telltale/contract/domains/readings/rewind";
import { counted } from "@telltale/contract/text/counted";
import banner from "../view/alert-banner.module.css";
import { AlertWindow } from "../view/alert-window.tsx";
import classes from "./rewind.module.css";

/** Most windows. */
const shown = 4;

/** Unconfirmed ones first, by priority, then the newest first. */
const inOrder = (a: StoodAlert, b: StoodAlert): number =>
  Number(a.isConfirmed) - Number(b.isConfirmed) ||
  a.alert.priority - b.alert.priority ||
  b.alert.createdTime.getTime() - a.alert.createdTime.getTime() ||
  b.alert.alarmLogId - a.alert.alarmLogId;

/** What stood at a moment, as windows without a button; and who had confirmed it. */
export const StoodWindows = ({ stood, at }: { stood: readonly StoodAlert[]; at: number }) => {
  const told = stood.filter(({ isSilent }) => !isSilent).toSorted(inOrder);
  const silent = stood.length - told.length;
  const more = told.length - shown;
  const rest = [
    more > 0 && `${counted(more, "more alert")} stood`,
    silent > 0 && `${counted(silent, "alert")} stood silenced`,
  ];
  const texts = rest.filter((text) => text !== false);
  if (stood.length === 0) return null;
  return (
    <>
      {told.length > 0 && (
        <section className={banner.windows} aria-label="Alerts that stood">
          {told.slice(0, shown).map(({ alert, isConfirmed }) => (
            <AlertWindow key={alert.alarmLogId} alert={alert} then={{ at, isConfirmed }} />
          ))}
        </section>
      )}
      {texts.length > 0 && <p className={classes.rest}>{texts.join(", ")}.</p>}
    </>
  );
};
