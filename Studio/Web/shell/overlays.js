// What lies above the page when it is open: the palette and the list of keys.
import { Observable } from "../observable.js";

export const isPaletteOpen = new Observable(false);
export const isHelpOpen = new Observable(false);

export const togglePalette = () => isPaletteOpen.set(!isPaletteOpen.value);
export const toggleHelp = () => isHelpOpen.set(!isHelpOpen.value);
