import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues

extension LintRules {
    static let duplicateEntities: ModelRule = { model in
        model.document.entities.map(\.name).repeated.map {
            Diagnostic(.error, at: $0, "two entities have the name \"\($0)\"", facet: "name")
        }
    }

    // MARK: Configurations

    static let duplicateConfigurations: ModelRule = { model in
        model.document.configurations.map(\.name).repeated.map {
            let path = ElementPath.configuration($0)
            return Diagnostic(.error, at: path, "two configurations have the name \"\($0)\"", facet: "name")
        }
    }

    static let unknownConfigurationMembers: ModelRule = { model in
        model.document.configurations.flatMap { configuration in
            configuration.entityNames.filter { model.entity(named: $0) == nil }.map {
                Diagnostic(
                    .error, at: ElementPath.configuration(configuration.name),
                    "the configuration contains the unknown entity \"\($0)\"", facet: "members")
            }
        }
    }

    // MARK: Fetch requests

    static let duplicateFetchRequests: ModelRule = { model in
        model.document.fetchRequests.map(\.name).repeated.map {
            let path = ElementPath.fetchRequest($0)
            return Diagnostic(.error, at: path, "two fetch requests have the name \"\($0)\"", facet: "name")
        }
    }

    static let fetchRequestTemplates: ModelRule = { model in
        model.document.fetchRequests.flatMap {
            problems(of: $0, at: ElementPath.fetchRequest($0.name), model)
        }
    }

    /// Returns the problems of a fetch request template, or of the request of a fetched property.
    ///
    /// Templates are often written before their entity exists, and a predicate that does not parse traps when
    /// it is used.
    static func problems(
        of request: FetchRequestElement, at path: String, _ model: LintedModel
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        if request.entityName.isEmpty {
            found.append(Diagnostic(.error, at: path, "the fetch request has no entity", facet: "entity"))
        } else if model.entity(named: request.entityName) == nil {
            found.append(
                Diagnostic(.error, at: path, "unknown entity \"\(request.entityName)\"", facet: "entity"))
        }
        if let predicate = request.predicate {
            do {
                _ = try FormatParser.predicate(predicate)
            } catch {
                found.append(
                    Diagnostic(
                        .error, at: path, "bad predicate \"\(predicate)\": \(error)", facet: "predicate"))
            }
        }
        return found
    }

    // MARK: Composites

    static let duplicateComposites: ModelRule = { model in
        model.document.composites.map(\.name).repeated.map {
            Diagnostic(
                .error, at: ElementPath.composite($0), "two composites have the name \"\($0)\"", facet: "name"
            )
        }
    }

    static let compositeElements: ModelRule = { model in
        model.document.composites.flatMap { composite in
            let path = ElementPath.composite(composite.name)
            let duplicates = composite.attributes.map(\.name).repeated.map {
                Diagnostic(.error, at: "\(path).\($0)", "two elements have the name \"\($0)\"")
            }
            let isCyclic = contains(composite.name, in: composite, model, visited: [])
            let cycle = isCyclic ? [Diagnostic(.error, at: path, "the composite contains itself")] : []
            return duplicates + cycle
        }
    }

    private static func contains(
        _ name: String, in composite: CompositeElement, _ model: LintedModel, visited: Set<String>
    ) -> Bool {
        composite.attributes.compactMap(\.compositeName).contains { inner in
            if inner == name { return true }
            guard !visited.contains(inner),
                let next = model.document.composites.first(where: { $0.name == inner })
            else { return false }
            return contains(name, in: next, model, visited: visited.union([inner]))
        }
    }
}
