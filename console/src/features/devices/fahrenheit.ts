/** Degrees Fahrenheit of degrees Celsius. (spec 1 §9) */
export const fahrenheit = (celsius: number): number => celsius * 1.8 + 32;
