/// A model as its author wrote it: the contents of one `contents` file, or of one compiled `.mom`. Elements
/// refer to each other by name, and are in document order.
package struct ModelDocument: Sendable, Hashable {
    /// The attributes of the `<model>` element that mean nothing to the framework (tool versions, source
    /// language, …), kept so that writing the document again loses nothing.
    package var editorAttributes: [String: String]
    /// The version identifiers, as in store metadata; `[""]` if the editor's field is empty.
    package var versionIdentifiers: [String]
    package var entities: [EntityElement]
    package var fetchRequests: [FetchRequestElement]
    package var configurations: [ConfigurationElement]
    package var composites: [CompositeElement]
    package var layout: [DiagramElement]
    package var form = SourceForm()
    package var extras: [SourceExtra] = []

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

/// A named subset of the entities, to which a store can be limited.
package struct ConfigurationElement: Sendable, Hashable {
    package var name: String
    package var entityNames: [String]
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

    package init(name: String, entityNames: [String], editorAttributes: [String: String] = [:]) {
        self.name = name
        self.entityNames = entityNames
        self.editorAttributes = editorAttributes
    }
}

/// A named group of attributes that attributes of type Composite refer to.
package struct CompositeElement: Sendable, Hashable {
    package var name: String
    package var attributes: [AttributeElement]
    package var extras: [SourceExtra] = []

    package init(name: String, attributes: [AttributeElement]) {
        self.name = name
        self.attributes = attributes
    }
}

/// The position of an entity in the editor's diagram.
package struct DiagramElement: Sendable, Hashable {
    package var attributes: [String: String]

    package init(attributes: [String: String]) {
        self.attributes = attributes
    }
}
