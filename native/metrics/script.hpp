// What the search of a TER did, for explanations: shifts of one text, then the edits that are left.
#pragma once

#include <cstdint>
#include <vector>

namespace tercet {

struct EditScript {
    struct Shift {  // `length` words from `start` on, moved so that they begin at `place`
        int32_t start, length, place;
    };
    struct Step {  // a word of the shifted text, in its new order, beside one of the other text; -1: none
        int32_t shifted, fixed;
    };
    std::vector<Shift> shifts;
    std::vector<Step> steps;  // from the end of the texts to their beginning, as a back-trace goes
};

}  // namespace tercet
