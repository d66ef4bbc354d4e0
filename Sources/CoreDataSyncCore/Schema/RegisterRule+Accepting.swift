import CoreDataValues

extension AttributeRule {
    /// Whether a value can be stored in the attribute. Null always can: a mandatory attribute without a value
    /// gets its default.
    package func accepts(_ value: SyncValue) -> Bool {
        switch (type, value) {
        case (_, .null): true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.integer64, .integer), (.decimal, .decimal), (.double, .double), (.float, .double): true
        case (.string, .string), (.boolean, .boolean), (.date, .date), (.binary, .data), (.uuid, .uuid): true
        case (.uri, .uri), (.composite, .composite): true
        case (.binary, .blob), (.transformable, .blob), (.transformable, _): true
        default: false
        }
    }
}

extension RegisterRule {
    /// Whether a register may hold a value.
    package func accepts(_ value: SyncValue) -> Bool {
        switch (self, value) {
        case (.attribute(let rule), _): rule.accepts(value)
        case (.reference(let rule), .null): rule.isOptional
        case (_, .null), (.reference, .reference), (.position, .position): true
        case (.group(let attributes), .composite(let elements)):
            elements.allSatisfy { attributes[$0.name]?.accepts($0.value) ?? false }
        default: false
        }
    }

    var merge: MergeRule {
        if case .attribute(let rule) = self { rule.merge } else { .latest }
    }
}
