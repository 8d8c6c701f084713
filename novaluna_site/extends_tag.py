"""The template tag `extends` of all templates, which keeps the blocks of the templates that it has read.

Django looks through every node of the parent for its blocks, each time that a template is rendered. A
compiled template never changes, so once is enough.
"""

from django.template import Context, Library, NodeList, Template
from django.template.base import Node, Parser, Token
from django.template.loader_tags import BlockNode, ExtendsNode, do_extends

register = Library()


@register.tag
def extends(parser: Parser, token: Token) -> "KeepingExtendsNode":
    """Do what Django's tag does."""
    node = do_extends(parser, token)
    return KeepingExtendsNode(node.nodelist, node.parent_name)


class KeepingExtendsNode(ExtendsNode):
    """Extends a template whose blocks are looked for once."""

    def get_parent(self, context: Context) -> Template:
        """Return the compiled parent, which keeps its blocks."""
        parent: Template = super().get_parent(context)
        if not isinstance(parent.nodelist, _KeepingNodeList):
            parent.nodelist = _KeepingNodeList(parent.nodelist)
        return parent


class _KeepingNodeList(NodeList):
    """The nodes of a compiled template."""

    blocks: list[Node] | None = None

    def get_nodes_by_type(self, nodetype: type[Node]) -> list[Node]:
        """Return the nodes of a type, from everywhere in the template."""
        if nodetype is not BlockNode:
            return super().get_nodes_by_type(nodetype)
        if self.blocks is None:
            self.blocks = super().get_nodes_by_type(nodetype)
        return self.blocks
