import { Skeleton } from "@mantine/core";
import { type SupportItem, type SupportType, support } from "@telltale/contract/domains/support";
import type { ReactNode } from "react";
import { useCall } from "../../session/use-call.ts";
import { ErrorState } from "../../ui/page/message.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./support-items.module.css";

interface SupportItemsProps {
  type: SupportType;
  /** Renders the loaded items, also when there are none. */
  children: (items: SupportItem[]) => ReactNode;
}

const Still = () => (
  <Panel className={classes.still ?? ""}>
    {["70%", "55%", "80%", "60%", "75%"].map((width) => (
      <Skeleton key={width} height={14} width={width} />
    ))}
  </Panel>
);

/** Content of a support tab: loading, failed, or loaded. */
export const SupportItems = ({ type, children }: SupportItemsProps): ReactNode => {
  const { data, error, refetch } = useCall(support.getInfo, { type });
  if (data) return children(data);
  if (error)
    return (
      <Panel>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  return <Still />;
};
