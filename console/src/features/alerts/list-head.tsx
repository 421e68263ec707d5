import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { PageTitle } from "../../ui/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { StatusLegend } from "./status-legend.tsx";

interface ListHeadProps {
  title: ReactNode;
  onRefresh: () => void;
  /** What stands between the title and the legend. */
  children?: ReactNode;
}

/** The head of a list of alerts: title, Refresh, and the legend, which folds and stays as it was left. */
export const ListHead = ({ title, onRefresh, children }: ListHeadProps): ReactNode => {
  const id = useId();
  const [isOpen, setOpen] = useLocalStorage({
    key: "telltale-alert-legend",
    defaultValue: window.innerWidth >= 768,
    getInitialValueInEffect: false,
  });
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  const buttons = (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Chevron size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Status legend
      </Button>
      <RefreshButton onRefresh={onRefresh} />
    </>
  );
  return (
    <>
      <PageTitle aside={buttons}>{title}</PageTitle>
      {children}
      {isOpen && <StatusLegend id={id} />}
    </>
  );
};
