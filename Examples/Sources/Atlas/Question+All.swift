extension Question {
    /// A dozen questions, each across a relationship.
    static var all: [Question] {
        countries + subdivisions + kindsAndLanguages
    }

    private static var countries: [Question] {
        [
            .list(
                "Which countries have more than a hundred subdivisions?", "Country",
                where: "subdivisions.@count > %d", 100,
                columns: ["Code": "alpha2", "Country": "name", "Subdivisions": "subdivisions.@count"]),
            .list(
                "Which countries have cantons?", "Country",
                where: "ANY subdivisions.kind.name == %@", "Canton",
                columns: ["Code": "alpha2", "Country": "name"]),
            .list(
                "Which countries consist of emirates alone?", "Country",
                where: "subdivisions.@count > 0 AND "
                    + "SUBQUERY(subdivisions, $s, $s.kind.name != %@).@count == 0", "Emirate",
                columns: ["Code": "alpha2", "Country": "name", "Emirates": "subdivisions.@count"]),
            .list(
                "Which countries have a part that bears the country's name?", "Country",
                where: "SUBQUERY(subdivisions, $s, $s.name == $s.country.name).@count > 0",
                columns: ["Code": "alpha2", "Country": "name"]),
        ]
    }

    private static var subdivisions: [Question] {
        [
            .list(
                "What is the Benelux made of?", "Subdivision",
                where: "country.alpha2 IN %@ AND parent == nil", ["BE", "NL", "LU"],
                sortedBy: ["country.name", "name"],
                columns: ["Country": "country.name", "Part": "name", "Kind": "kind.name"]),
            .list(
                "Which parts of France have eight parts or more of their own?", "Subdivision",
                where: "country.alpha2 == %@ AND children.@count >= 8", "FR",
                columns: ["Code": "code", "Part": "name", "Kind": "kind.name", "Parts": "children.@count"]),
            .list(
                "What lies inside Azerbaijan's autonomous republic?", "Subdivision",
                where: "parent.kind.name CONTAINS[c] %@ AND country.name == %@", "autonomous", "Azerbaijan",
                columns: ["Part": "name", "Kind": "kind.name", "Inside": "parent.name"]),
            .list(
                "Where are there places called central, in whatever spelling?", "Subdivision",
                where: "name CONTAINS[cd] %@ AND country.subdivisions.@count > 20", "céntral",
                sortedBy: ["country.name", "name"],
                columns: ["Country": "country.name", "Place": "name", "Kind": "kind.name"]),
        ]
    }

    private static var kindsAndLanguages: [Question] {
        [
            .groups(
                "Which kinds of subdivision are there more than two hundred of?", of: "Subdivision",
                by: "kind.name", counting: "code", moreThan: 200, columns: ["Kind", "Subdivisions"]),
            .groups(
                "How many languages are there of each kind?", of: "Language",
                by: "kind.name", counting: "alpha3", moreThan: 0, columns: ["Kind", "Languages"]),
            .list(
                "Which languages were constructed, and are not signed?", "Language",
                where: "kind.code == 'C' AND NOT name CONTAINS %@", "sign",
                columns: ["Code": "alpha3", "Language": "name"]),
            .list(
                "Which kinds of language have an Old one?", "LanguageKind",
                where: "ANY languages.name BEGINSWITH %@", "Old ",
                columns: ["Kind": "name", "Languages": "languages.@count"]),
        ]
    }
}
