/*
 * Common English names of people, separated by blanks, in the spelling of the built-in recogniser's dictionary. The
 * recogniser's grammar can hear these names; the rules for opt-outs and third parties know by them that a word is a
 * person's name ("I'm not John").
 */

/** The most common first names of the English-speaking world. */
export const FIRST_NAMES =
  'aaron abigail ada adam alan albert alex alexander alice amanda amber amy andrea andrew angela ann anna anne anthony ' +
  'arthur ashley austin barbara benjamin beth betty beverly bill billy bob bobby brandon brenda brian bruce bryan carl ' +
  'carol caroline catherine charles charlotte cheryl chris christian christina christine christopher cynthia dan daniel ' +
  'danielle dave david deborah debra denise dennis diana diane donald donna dorothy doug douglas dylan edward elizabeth ' +
  'ella ellen emily emma eric ethan eugene evelyn frances frank fred gabriel gary george gerald gloria grace greg ' +
  'gregory hannah harold harry heather helen henry howard isabella jack jacob jacqueline james jane janet janice jason ' +
  'jean jeff jeffrey jennifer jeremy jerry jesse jessica jim jimmy joan joe john johnny jonathan jordan jose joseph ' +
  'joshua joyce juan judith judy julia julie justin karen katherine kathleen kathy kayla keith kelly kenneth kevin kim ' +
  'kimberly kyle larry laura lauren lawrence linda lisa logan louis lucy madison margaret maria marie marilyn mark martha ' +
  'martin mary matthew megan melissa michael michelle mike nancy natalie nathan nicholas nicole noah oliver olivia pamela ' +
  'patricia patrick paul peter philip rachel ralph randy raymond rebecca richard robert roger ronald rose roy russell ' +
  'ruth ryan sam samantha samuel sandra sara sarah scott sean sharon sophia stephanie stephen steve steven susan teresa ' +
  'terry theresa thomas tim timothy tom tyler victoria vincent virginia walter wayne wendy william zachary';

/** The most common last names of the English-speaking world. */
export const LAST_NAMES =
  'adams alexander allen anderson bailey baker barnes bell bennett brooks brown bryant butler campbell carter chavez clark ' +
  'coleman collins cook cooper cox cruz davis diaz edwards evans fisher flores foster garcia gomez gonzalez graham gray ' +
  'green griffin gutierrez hall hamilton harris harrison hayes henderson hernandez hill howard hughes jackson james ' +
  'jenkins johnson jones jordan kelly kennedy kim king lee lewis long lopez lovelace marshall martin martinez mason ' +
  'mcdonald mendoza miller mitchell moore morales morgan morris murphy murray myers nelson nguyen ortiz owens parker patel ' +
  'patterson perez perry peterson phillips powell price ramirez ramos reed reynolds richardson rivera roberts robinson ' +
  'rodriguez rogers ross ruiz russell sanchez sanders scott shaw simmons simpson smith stevens stewart sullivan taylor ' +
  'thomas thompson torres turner wagner walker wallace ward washington watson west white williams wilson wood woods ' +
  'wright young';
