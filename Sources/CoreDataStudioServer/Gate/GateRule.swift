#if Studio
/// A condition that the head of each request has to keep, before anything of it is carried out.
protocol GateRule: Sendable {
    /// Throws the reason if a request breaks the rule.
    func check(_ head: RequestHead) throws(Refusal)
}
#endif
