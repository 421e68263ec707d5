import { SegmentedControl } from "@mantine/core";
import { counted } from "@telltale/contract/counted";
import { serviceYears } from "@telltale/contract/orders";
import type { ReactNode } from "react";
import classes from "./years-field.module.css";

const choices = serviceYears.map((years) => ({
  value: String(years),
  label: counted(years, "year"),
}));

interface YearsFieldProps {
  value: number;
  onChange: (years: number) => void;
}

/** For how many years. (spec 1 §9) */
export const YearsField = ({ value, onChange }: YearsFieldProps): ReactNode => (
  <SegmentedControl
    aria-label="Years"
    fullWidth
    data={choices}
    value={String(value)}
    onChange={(years) => onChange(Number(years))}
    classNames={{ root: classes.years, control: classes.control, label: classes.label, indicator: classes.indicator }}
  />
);
