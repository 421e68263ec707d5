import { AlertStatus } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { alertStatusLook } from "../../domain/alerts/alert-status.ts";
import { ListHead as Head } from "../../ui/page/list-head.tsx";

const meanings = [
  [alertStatusLook(AlertStatus.triggered), "waiting for confirmation"],
  [alertStatusLook(AlertStatus.confirmed), "confirmed, the condition is still there"],
  [alertStatusLook(AlertStatus.cleared), "the condition has ended"],
  [{ ...alertStatusLook(AlertStatus.triggered, true), label: "Silent" }, "recorded, with nobody notified"],
] as const;

interface ListHeadProps {
  title: ReactNode;
  /** Beside the title: what the list shows. */
  beside?: ReactNode;
  onRefresh: () => void;
  /** The button at the right of the others. */
  action?: ReactNode;
  /** Content between the title and the legend. */
  children?: ReactNode;
}

/** The head of an alert list, with the legend of the three states. */
export const ListHead = (props: ListHeadProps): ReactNode => (
  <Head {...props} legendKey="telltale-alert-legend" meanings={meanings} />
);
