extension NSManagedObjectModel {
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templates }

    /// The template itself, which cannot be changed once the model is in use: change a copy.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireMutable()
        templates[name] = fetchRequestTemplate
    }

    /// A copy of the template with a value for each `$name` of its predicate; nil without such a template. A
    /// variable that `variables` leaves out traps, as an incomplete predicate could match anything.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        guard let template = templates[name] else { return nil }
        let request = template.copy() as! NSFetchRequest<any NSFetchRequestResult>
        request.predicate = template.predicate?.withSubstitutionVariables(variables)
        return request
    }
}
