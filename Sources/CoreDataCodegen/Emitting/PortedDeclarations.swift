/// What ported sources of a module declare, and what they leave to the generated file.
package struct PortedDeclarations: Sendable {
    /// `@NSManaged` properties whose accessors stand in the ported texts, so that nothing else has to supply them.
    package var computedProperties: Set<SourcePlace>
    /// Overrides of extensions that generated classes declare.
    package var overrides: [GeneratedOverride]
    /// The types in the ported texts that tell of private members.
    package var privateTables: [String]

    package init(
        computedProperties: Set<SourcePlace>, overrides: [GeneratedOverride], privateTables: [String]
    ) {
        self.computedProperties = computedProperties
        self.overrides = overrides
        self.privateTables = privateTables
    }
}

/// What a generated class declares for an extension that overrides.
package struct GeneratedOverride: Sendable, Hashable {
    package var owner: [String]
    package var declaration: String
    package var conditions: [String]
    /// The file of the extension, whose imports the types may need.
    package var file: String

    package init(owner: [String], declaration: String, conditions: [String], file: String) {
        self.owner = owner
        self.declaration = declaration
        self.conditions = conditions
        self.file = file
    }
}
