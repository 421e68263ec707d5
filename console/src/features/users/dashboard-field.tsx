import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { dashboards } from "@telltale/contract/dashboards";
import { complaint, fieldClasses } from "../../form/text-field.tsx";
import { useCall } from "../../session/use-call.ts";
import { noDashboard } from "./use-user-flow.ts";

interface DashboardFieldProps {
  value: number;
  onChange: (dashboardId: number) => void;
}

/** The one dashboard that a viewer sees. */
export const DashboardField = ({ value, onChange }: DashboardFieldProps) => {
  const { data = [], error } = useCall(dashboards.names, {});
  const options = [
    { value: String(noDashboard), label: "The plant's default" },
    ...data.map(({ dashboardId, name }) => ({ value: String(dashboardId), label: name })),
  ];
  return (
    <Select
      label="Dashboard"
      description="The one that the Viewer sees"
      data={options}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen ?? noDashboard))}
      allowDeselect={false}
      error={complaint(error?.message)}
      rightSection={<IconChevronDown size={18} aria-hidden />}
      rightSectionPointerEvents="none"
      classNames={fieldClasses}
    />
  );
};
