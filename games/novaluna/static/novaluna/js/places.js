/* The places of a display: its tiles, and the cells where a tile may go. Each has its coordinates in its style. */
"use strict";
const Places = {
  /** Return the places of a display, row by row. */
  of: (display) => [...display.querySelectorAll(":scope > li:has(> .tile)")],

  /** Return the coordinates of a place: [2, -1]. */
  coordinates: (place) => ["--x", "--y"].map((name) => Number(place.style.getPropertyValue(name))),

  /** Return the key of a place in the texts of choices, and in ids: "2_-1". */
  key: (place) => Places.coordinates(place).join("_"),
};
