/// A model as authored: what one `contents` file or one compiled `.mom` says, by name, in document order.
package struct ModelDocument: Sendable, Hashable {
    /// The attributes of the `<model>` element that mean nothing to the framework (tool versions, source
    /// language, …), kept so that a document survives a round trip.
    package var editorAttributes: [String: String]
    /// Version identifiers as the store metadata carries them; `[""]` when the editor's field is empty.
    package var versionIdentifiers: [String]
    package var entities: [EntityElement]
    package var fetchRequests: [FetchRequestElement]
    package var configurations: [ConfigurationElement]
    package var composites: [CompositeElement]
    package var layout: [DiagramElement]
    /// Whether the source ends in a line break: the editor writes none, and other tools do.
    package var endsInLineBreak = false

    package init(
        editorAttributes: [String: String] = [:],
        versionIdentifiers: [String] = [],
        entities: [EntityElement] = [],
        fetchRequests: [FetchRequestElement] = [],
        configurations: [ConfigurationElement] = [],
        composites: [CompositeElement] = [],
        layout: [DiagramElement] = []
    ) {
        self.editorAttributes = editorAttributes
        self.versionIdentifiers = versionIdentifiers
        self.entities = entities
        self.fetchRequests = fetchRequests
        self.configurations = configurations
        self.composites = composites
        self.layout = layout
    }
}

/// A named subset of the entities that a store can be limited to.
package struct ConfigurationElement: Sendable, Hashable {
    package var name: String
    package var entityNames: [String]
    package var editorAttributes: [String: String]

    package init(name: String, entityNames: [String], editorAttributes: [String: String] = [:]) {
        self.name = name
        self.entityNames = entityNames
        self.editorAttributes = editorAttributes
    }
}

/// A named group of attributes that an attribute of type Composite refers to.
package struct CompositeElement: Sendable, Hashable {
    package var name: String
    package var attributes: [AttributeElement]

    package init(name: String, attributes: [AttributeElement]) {
        self.name = name
        self.attributes = attributes
    }
}

/// Where the editor draws an entity.
package struct DiagramElement: Sendable, Hashable {
    package var attributes: [String: String]

    package init(attributes: [String: String]) {
        self.attributes = attributes
    }
}
