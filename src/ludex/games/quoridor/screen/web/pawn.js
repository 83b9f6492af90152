/** A turned figure: its foot, its collar and its head. */
export const PAWN =
  "M-15 18c0-3 1.5-4.5 4-6 2.5-3.5 4-7.5 4.5-11.5H-9v-3h3.5a8.5 8.5 0 1 1 11 0H9v3H6.5" +
  "c.5 4 2 8 4.5 11.5 2.5 1.5 4 3 4 6z";
