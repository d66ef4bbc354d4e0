import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The predicates of a model while they are typed.
extension ModelSession {
    /// Returns what may come next in the predicate of an element, and what is wrong with it.
    ///
    /// - Parameter fields: `element`, whose predicate it is; `text`; `caret`, in Unicode scalars.
    func completion(_ name: String?, _ fields: RequestFields) throws -> JSONValue {
        let version = try version(name)
        let text = try fields.text("text") ?? ""
        try PredicateCompletion.requireShort(text)
        let number = try fields.number("element")
        guard let element = version.element(ElementID(number)),
            let path = version.path(of: ElementID(number))
        else { throw StudioFailure(.notFound, "there is no element number \(number)") }
        let variables: [PredicateCompletion.Item]
        let entity: String?
        switch element {
        case .fetchRequest(let request): (entity, variables) = (request.entityName, [])
        case .fetchedProperty(let property):
            (entity, variables) = (property.fetchRequest?.entityName, PredicateCompletion.ofFetchedProperties)
        case .index(let index):
            let owner = version.document.entities.first {
                ElementPath.fetchIndex(index.name, of: $0.name) == path
            }
            (entity, variables) = (owner?.name, [])
        default: throw StudioFailure(.refused, "\(path) has no predicate")
        }
        guard let model = completing(version), let entity, let found = model.compiled.entity(named: entity)
        else { return PredicateCompletion.nothing }
        return PredicateCompletion(
            text, caret: try fields.number("caret"), of: found, in: model, variables: variables
        ).json
    }

    /// Returns a version for completion: the one before while it does not compile, nil if none ever did.
    private func completing(_ version: EditedVersion) -> StoreModel? {
        var document = version.document
        // A predicate that is half typed must not keep the model from being compiled.
        for index in document.fetchRequests.indices { document.fetchRequests[index].predicate = nil }
        for index in document.entities.indices {
            document.entities[index].fetchedProperties = []
            document.entities[index].fetchIndexes = []
        }
        if let known = completed[version.name], known.document == document { return known }
        guard let model = try? StoreModel(document, origin: .file(url.path, version: version.name)) else {
            return completed[version.name]
        }
        completed[version.name] = model
        return model
    }
}
